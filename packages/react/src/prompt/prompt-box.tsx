import type { ClientSession } from "@askwire/client";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { isComposing } from "../cards/composing.js";
import { Foreign } from "../cards/foreign-text.js";
import { type TalkWords, talkWords } from "../words/talk-words.js";
import { CommandList } from "./command-list.js";
import { useAttempt } from "./use-attempt.js";
import { useCompletion } from "./use-completion.js";

/** The props of a {@link PromptBox}. */
export interface PromptBoxProps {
  /** Sends words to the agent, as `say` of the client does. The text stays until this resolves, and if it rejects. */
  onSend(text: string): unknown;
  /** True while a turn runs: words then reach the agent in it. Default: false. */
  readonly isRunning?: boolean;
  /** Cancels the turn. Default: there is no button for that. */
  onCancel?(): unknown;
  /** The state of plan mode. Default: off. */
  readonly planMode?: boolean;
  /** Switches plan mode. Default: there is no switch. */
  onPlanMode?(enabled: boolean): unknown;
  /** The session's slash commands, which are completed. Default: none. */
  readonly commands?: ClientSession["slashCommands"];
  /** The text to begin with. Default: empty. */
  readonly draft?: string;
  /** Called with each change of the text, also when it was sent. */
  onDraft?(text: string): void;
  /** True while nothing can be sent, such as without a connection. The text can be written. Default: false. */
  readonly isOff?: boolean;
  /** Default: English. */
  readonly words?: TalkWords;
}

/** The place where a person writes to the agent. Enter sends where there is a keyboard, and a button everywhere. */
export function PromptBox(props: PromptBoxProps): ReactNode {
  const { isRunning = false, isOff = false, commands = none, words = talkWords.en } = props;
  const id = useId();
  const [text, setText] = useState(props.draft ?? "");
  const [isSending, setSending] = useState(false);
  const sending = useAttempt();
  const acting = useAttempt();
  const box = useRef<HTMLTextAreaElement>(null);

  function become(next: string): void {
    setText(next);
    sending.forget();
    props.onDraft?.(next);
  }
  const completion = useCompletion(text, commands, (next) => {
    become(next);
    box.current?.focus();
  });
  const { found, active } = completion;

  async function send(): Promise<void> {
    if (isSending || isOff || text.trim() === "") return;
    setSending(true);
    if (await sending.attempt(() => props.onSend(text))) become("");
    setSending(false);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event) || completion.onKey(event)) return;
    if (event.key !== "Enter" || event.shiftKey || event.altKey) return;
    if (isTouch() && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    void send();
  }

  return (
    <form
      className="askwire askwire-prompt-box"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label htmlFor={id}>{words.message}</label>
      <CommandList id={`${id}c`} {...completion} words={words} />
      <textarea
        ref={box}
        id={id}
        dir="auto"
        rows={Math.min(12, text.split("\n").length)}
        value={text}
        readOnly={isSending}
        aria-busy={isSending}
        aria-describedby={`${id}h ${id}p`}
        aria-autocomplete="list"
        {...(found.length > 0 && {
          "aria-controls": `${id}c`,
          "aria-activedescendant": `${id}c${active}`,
        })}
        onChange={({ target }) => become(target.value)}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}h`} className="askwire-unseen">
        {words.messageHint}
      </p>
      <p id={`${id}p`} className="askwire-hint" role="status">
        {sending.problem !== "" && <Foreign text={words.notSent(sending.problem)} />}
        {acting.problem !== "" && <Foreign text={words.notDone(acting.problem)} />}
      </p>
      <div className="askwire-buttons">
        <button type="submit" className="askwire-main" disabled={isOff || isSending}>
          {isRunning ? words.steer : words.send}
        </button>
        {isRunning && props.onCancel && (
          <button
            type="button"
            className="askwire-cancel"
            onClick={() => void acting.attempt(() => props.onCancel?.())}
          >
            {words.cancel}
          </button>
        )}
        {props.onPlanMode && (
          <label className="askwire-switch">
            <input
              type="checkbox"
              // biome-ignore lint/a11y/useAriaPropsForRole: a check box tells its own state
              role="switch"
              checked={props.planMode === true}
              disabled={isOff}
              onChange={({ target: { checked } }) => void acting.attempt(() => props.onPlanMode?.(checked))}
            />
            {words.plans}
          </label>
        )}
      </div>
    </form>
  );
}

/** A list that stays the same object. */
const none: ClientSession["slashCommands"] = [];

/** True where keys are on the glass, and Enter begins a line. */
const isTouch = () => matchMedia("(hover: none) and (pointer: coarse)").matches;
