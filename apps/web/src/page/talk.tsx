import type { UserInput } from "@askwire/protocol";
import { Transcript, useStore } from "@askwire/react";
import type { Highlight } from "@askwire/react/code";
import { type ReactNode, useCallback } from "react";
import type { Visit } from "../visits/visit.js";
import { EmptyTalk } from "./empty-talk.js";
import { LateMarkdown } from "./late-markdown.js";
import type { AllWords } from "./parts.js";

/** The conversation of the session. */
export default function Talk({
  visit,
  words,
  highlight,
}: {
  readonly visit: Visit;
  readonly words: AllWords;
  readonly highlight: Highlight;
}): ReactNode {
  const conversation = useStore(visit.talk);
  const waiting = useStore(visit.atPrompt);
  // Words that can be taken back stand at the prompt, and need not be said twice.
  const outbox = useStore(visit.connection.outbox).filter(
    (one) => one.kind !== "words" || one.state.is === "taken" || !waiting.includes(firstText(one.input)),
  );
  useStore(visit.connection);
  const session = visit.connection.session();
  const mayPrompt = session?.may("prompt") === true;
  const onTryAgain = useCallback(
    (prompt: string) => void session?.outbox.say(prompt, visit.talk.prompting),
    [session, visit],
  );
  const { language, markdown } = words;
  // A function that stays the same keeps parts that did not change from being rendered again.
  const renderMarkdown = useCallback(
    (text: string) => <LateMarkdown {...{ text, highlight }} words={markdown} />,
    [markdown, highlight],
  );
  return (
    <div className="talk">
      <EmptyTalk visit={visit} language={language} />
      <Transcript
        {...{ conversation, outbox, renderMarkdown, highlight, ...(mayPrompt && { onTryAgain }) }}
        words={words.talk}
      />
    </div>
  );
}

/** The words of an input, without what is attached to them. */
function firstText(input: UserInput): string {
  if (typeof input === "string") return input;
  const [first] = input;
  return first?.type === "text" ? first.text : "";
}
