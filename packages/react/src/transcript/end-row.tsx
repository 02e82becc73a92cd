import type { TalkWords } from "@askwire/client/words";
import { type ReactNode, useState } from "react";
import { Foreign } from "../cards/foreign-text.js";
import { CopyButton } from "../looks/copied.js";
import { Icon } from "../looks/icon.js";
import type { EntryOf } from "./entries.js";

/** Milliseconds as whole seconds. */
const secondsOf = (ms: number) => Math.round(ms / 1_000);

/** The end of a turn: when, how long it took and how much of that was the person's, the files, and a copy of its words. */
export function EndRow({
  entry: { at, took, waited = 0, files },
  said,
  words,
}: {
  readonly entry: EntryOf<"end">;
  /** The last words of the turn, as Markdown. Empty without any. */
  readonly said: string;
  readonly words: TalkWords;
}): ReactNode {
  const time =
    at === undefined ? "" : new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const parts = [
    words.turnFinished(time),
    took === undefined || secondsOf(took) === 0 ? "" : words.turnTook(secondsOf(took), secondsOf(waited)),
    files === 0 ? "" : words.filesChanged(files),
  ];
  return (
    <div className="askwire-end">
      <span>{parts.filter((part) => part !== "").join(" · ")}</span>
      {said !== "" && <CopyButton text={said} name={words.copyWords} />}
    </div>
  );
}

/** A turn that failed, with its reason, and a button to send its prompt again. */
export function FailedRow({
  text,
  onTryAgain,
  words,
}: {
  readonly text: string;
  /** Sends the prompt of the turn again. Undefined where that cannot be done. */
  readonly onTryAgain: (() => void) | undefined;
  readonly words: TalkWords;
}): ReactNode {
  const [isSent, setSent] = useState(false);
  return (
    <div className="askwire-failed-turn">
      <Icon name="cross" />
      <p>
        <Foreign text={text} />
      </p>
      {onTryAgain !== undefined && (
        <button
          type="button"
          disabled={isSent}
          onClick={() => {
            setSent(true);
            onTryAgain();
          }}
        >
          {words.tryAgain}
        </button>
      )}
    </div>
  );
}
