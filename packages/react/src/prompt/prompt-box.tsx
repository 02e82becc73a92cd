"use client";

import type { ClientSession } from "@askwire/client";
import type { TalkWords } from "@askwire/client/words";
import { talk as english } from "@askwire/client/words/en";
import type { ContentPart } from "@askwire/protocol";
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef } from "react";
import { isComposing } from "../cards/composing.js";
import { Foreign } from "../cards/foreign-text.js";
import { ErrorBoundary } from "../failures/error-boundary.js";
import { runOutside } from "../failures/outside.js";
import { Icon } from "../looks/icon.js";
import type { AttachedFiles } from "./attached.js";
import { AddFiles, AttachedList, useAttached } from "./attached-list.js";
import { CancelButton } from "./cancel-button.js";
import { CompletionList } from "./completion-list.js";
import { Switches } from "./switches.js";
import { CameBack, NotYet } from "./unsent.js";
import { useAttempt } from "./use-attempt.js";
import type { Completion } from "./use-choice.js";
import { useCompletion } from "./use-completion.js";
import { type Mentions, useCaret, useMentions } from "./use-mentions.js";
import { type Sending, useSending } from "./use-sending.js";

/** The props of a {@link PromptBox}. */
export interface PromptBoxProps {
  /**
   * Sends words to the agent, as `outbox.say` of a session does. The box is free for the next words at once; words for
   * which this rejects stand above it, to be put back.
   *
   * @param signal takes the words back for as long as they were not sent, where `takesBack` says so: this then rejects
   * with its reason.
   * @param attached the pictures and files that go behind the text, where `takesFiles` lets the person add some.
   */
  onSend(text: string, signal: AbortSignal, attached: readonly ContentPart[]): unknown;
  /** True where `onSend` heeds its signal: words that are not sent after a second can be taken back. Default: false. */
  readonly takesBack?: boolean;
  /** Called with the texts that stand above the box to be taken back, after each change. Default: nobody is told. */
  onWaiting?(texts: readonly string[]): void;
  /**
   * True where pictures and files of text can go with the words: by a button, by pasting and by dropping. Pictures have
   * the limits of an answer (P-XAN-6), a file 1 MiB. Default: false.
   */
  readonly takesFiles?: boolean;
  /** The pictures and files to begin with. Default: none. */
  readonly attached?: readonly AttachedFiles[];
  /** Called with each change of those that have not arrived, the ones that are on their way included. Default: nobody is told. */
  onAttached?(attached: readonly AttachedFiles[]): void;
  /** True while a turn runs: words then reach the agent in it. Default: false. */
  readonly isRunning?: boolean;
  /** Cancels the turn. Default: there is no button for that. */
  onCancel?(): unknown;
  /** The state of plan mode. Default: off. */
  readonly planMode?: boolean;
  /** Switches plan mode. Default: there is no switch. */
  onPlanMode?(enabled: boolean): unknown;
  /** True where nobody is to be asked questions (P-XDN-1), as `askingSwitch` says. Default: questions are asked. */
  readonly doNotAsk?: boolean;
  /** Switches that. Default: there is no switch. */
  onDoNotAsk?(enabled: boolean): unknown;
  /** The session's slash commands, which are completed. Default: none. */
  readonly commands?: ClientSession["slashCommands"];
  /** The files that are completed behind an `@`. Keep the `find` of it the same function. Default: none. */
  readonly mentions?: Mentions;
  /** The text to begin with. Default: empty. */
  readonly draft?: string;
  /** Called with each change of what has not arrived: the text, below the words that are on their way or came back. */
  onDraft?(text: string): void;
  /** True while nothing can be sent, such as without a connection. The text can be written. Default: false. */
  readonly isOff?: boolean;
  /** The words of the component. Default: English, `talkWords.en`. */
  readonly words?: TalkWords;
}

/**
 * The place where a person writes to the agent. Enter sends where there is a keyboard, and a button everywhere. A box
 * that fails says so, and is drawn anew with its text.
 */
export function PromptBox(props: PromptBoxProps): ReactNode {
  const { failure } = props.words ?? english;
  const text = useRef(props.draft ?? "");
  function onDraft(next: string): void {
    text.current = next;
    runOutside(() => props.onDraft?.(next));
  }
  const attached = useRef(props.attached ?? []);
  function onAttached(next: readonly AttachedFiles[]): void {
    attached.current = next;
    runOutside(() => props.onAttached?.(next));
  }
  return (
    <ErrorBoundary part={failure.parts.prompt} words={failure}>
      <Box {...props} draft={text.current} attached={attached.current} {...{ onDraft, onAttached }} />
    </ErrorBoundary>
  );
}

/** The work of the person, of which its boundary knows too. */
type Work = Required<Pick<PromptBoxProps, "draft" | "onDraft" | "attached" | "onAttached">>;

function Box(props: PromptBoxProps & Work): ReactNode {
  const { isRunning = false, isOff = false, commands = none, words = english } = props;
  const id = useId();
  const sending = useSending({ text: props.draft, attached: props.attached }, props.onSend, props);
  const { text, become, failed, attached } = sending;
  const files = useAttached(attached, sending.attach, words);
  const acting = useAttempt();
  const box = useRef<HTMLTextAreaElement>(null);

  const { completion, look } = usePromptCompletion(box, sending, { ...props, commands, words });
  const { found, active } = completion;

  function send(): void {
    if (isOff || files.reading.current) return;
    if (text.trim() !== "" || attached.length > 0) sending.send();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event) || completion.onKey(event)) return;
    if (event.key !== "Enter" || event.shiftKey || event.altKey) return;
    if (isTouch() && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      className="askwire askwire-prompt-box"
      {...(props.takesFiles && files.listeners)}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <CameBack
        {...{ failed, words }}
        onPutBack={(one) => {
          sending.putBack(one);
          box.current?.focus();
        }}
        onDrop={sending.drop}
      />
      {props.takesBack && <NotYet slow={sending.slow} words={words} onTakeBack={sending.takeBack} />}
      <AttachedList {...{ attached, words }} onAttach={sending.attach} />
      <label htmlFor={id} className="askwire-unseen">
        {words.message}
      </label>
      <CompletionList id={`${id}c`} {...completion} />
      <textarea
        ref={box}
        id={id}
        dir="auto"
        rows={Math.min(12, text.split("\n").length)}
        value={text}
        placeholder={isRunning ? words.meanwhile : words.writeHere}
        aria-describedby={`${id}h ${id}p`}
        aria-autocomplete="list"
        {...(found.length > 0 && {
          "aria-controls": `${id}c`,
          "aria-activedescendant": `${id}c${active}`,
        })}
        onChange={({ target }) => {
          become(target.value);
          look();
        }}
        onSelect={look}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}h`} className="askwire-unseen">
        {words.messageHint}
      </p>
      <p id={`${id}p`} className="askwire-hint" role="status">
        {acting.problem !== "" ? (
          <Foreign text={words.notDone(acting.problem)} />
        ) : (
          files.told !== "" && <Foreign text={files.told} />
        )}
      </p>
      <div className="askwire-buttons">
        {props.takesFiles && <AddFiles id={`${id}f`} add={files.add} words={words} />}
        <Switches {...{ props, isOff, words }} attempt={acting.attempt} />
        <span className="askwire-acts">
          {isRunning && props.onCancel && (
            <CancelButton words={words} onCancel={() => void acting.attempt(() => props.onCancel?.())} />
          )}
          <button
            type="submit"
            className="askwire-main askwire-send"
            disabled={isOff}
            aria-label={isRunning ? words.steer : words.send}
            title={isRunning ? words.steer : words.send}
          >
            <Icon name="up" />
          </button>
        </span>
      </div>
    </form>
  );
}

/** The list of what the text may be completed with, slash commands before files. `look` notes the place of the caret. */
function usePromptCompletion(
  box: RefObject<HTMLTextAreaElement | null>,
  { text, become }: Pick<Sending, "text" | "become">,
  { commands, mentions, words }: Required<Pick<PromptBoxProps, "commands" | "words">> & PromptBoxProps,
): { readonly completion: Completion; look(): void } {
  const place = useCaret(box, text);
  function complete(next: string, caret: number): void {
    become(next);
    place.put(next, caret);
    box.current?.focus();
  }
  const named = useMentions(text, place.caret, mentions, complete);
  const slashed = useCompletion(text, commands, (next) => complete(next, next.length), words);
  return { completion: slashed.found.length > 0 ? slashed : named, look: place.look };
}

/** A list that stays the same object. */
const none: ClientSession["slashCommands"] = [];

/** True where keys are on the glass, and Enter begins a line. */
const isTouch = () => matchMedia("(hover: none) and (pointer: coarse)").matches;
