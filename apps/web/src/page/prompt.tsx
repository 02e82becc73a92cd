import type { ClientSession } from "@askwire/client";
import type { ContentPart, UserInput } from "@askwire/protocol";
import { askingSwitch, PromptBox, useStore } from "@askwire/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Box } from "../kept/box.js";
import type { Visit } from "../visits/visit.js";
import type { AllWords } from "./parts.js";
import { useKeptFiles } from "./use-kept-files.js";

/** The place to write to the agent, with the text that was not sent. Whoever may only answer has none. */
export default function Prompt(props: PromptProps): ReactNode {
  useStore(props.visit.connection);
  const session = props.visit.connection.session();
  if (session?.id === undefined || !session.may("prompt")) return null;
  return <SessionPrompt key={session.id} {...props} session={session} id={session.id} />;
}

interface PromptProps {
  readonly visit: Visit;
  readonly words: AllWords;
  readonly tab: Box;
}

function SessionPrompt({
  visit,
  words: { page, talk: words },
  tab,
  session,
  id,
}: PromptProps & { readonly session: ClientSession; readonly id: string }): ReactNode {
  const { connection, talk, unsent, filled, atPrompt } = visit;
  const line = useStore(connection);
  const { isRunning } = useStore(talk);
  const fills = useStore(filled);
  const files = useKeptFiles(visit, id);
  const [isTextKept, setTextKept] = useState(true);
  const doNotAsk = askingSwitch(session);
  const name = `prompt.${id}`;
  return (
    <PromptRoom fills={fills}>
      <p className="quiet" role="status">
        {!files.isWhole && page.picturesGone}
        {(files.isUnkept || !isTextKept) && page.draftUnkept}
      </p>
      <PromptBox
        // Files that come from an earlier page are there from the beginning.
        key={`${fills}${files.isComing}`}
        onSend={(text, signal, attached) =>
          session.outbox.say(inputOf(text, attached), talk.prompting, { signal })
        }
        takesBack
        onWaiting={atPrompt.set}
        takesFiles
        attached={files.attached}
        onAttached={files.keep}
        isRunning={isRunning}
        onCancel={session.cancel}
        planMode={session.status.plan_mode === true}
        onPlanMode={session.setPlanMode}
        {...(doNotAsk !== undefined && { doNotAsk, onDoNotAsk: session.setDoNotAsk })}
        commands={session.slashCommands}
        isOff={line.is === "closed"}
        draft={unsent.current() ?? tab.get(name) ?? ""}
        onDraft={(text) => {
          unsent.set(text);
          if (text === "") tab.remove(name);
          setTextKept(text === "" || tab.set(name, text));
        }}
        words={words}
      />
    </PromptRoom>
  );
}

/** Words with what is attached to them, as the agent gets them. */
const inputOf = (text: string, attached: readonly ContentPart[]): UserInput =>
  attached.length === 0 ? text : [...(text === "" ? [] : [{ type: "text" as const, text }]), ...attached];

/**
 * The room of the prompt. It is marked from when the person writes until a click elsewhere. A click is awaited, since
 * whatever moves while a finger is down is missed by the finger.
 */
function PromptRoom({
  fills,
  children,
}: {
  /** Counts the times that a suggestion filled the prompt, which then takes the focus. */
  readonly fills: number;
  readonly children: ReactNode;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [isWriting, setWriting] = useState(false);
  useEffect(() => {
    const text = box.current?.querySelector("textarea");
    if (fills === 0 || !text) return;
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
  }, [fills]);
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const isHere = target instanceof Element && box.current?.contains(target) === true;
      if (!isHere) setWriting(false);
      else if (target instanceof HTMLTextAreaElement) setWriting(true);
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, []);
  return (
    <div ref={box} className={isWriting ? "prompt writing" : "prompt"} onInput={() => setWriting(true)}>
      {children}
    </div>
  );
}
