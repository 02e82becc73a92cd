import type { TalkWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import { Foreign } from "../cards/foreign-text.js";
import { Icon } from "../looks/icon.js";
import { callKind } from "./call-kind.js";
import type { CallOutcome } from "./call-outcome.js";
import { useSeconds } from "./use-seconds.js";

/** A call on one line: what is done or was done, to what, what came of it, and the time from one second on. */
export function CallSummary({
  name,
  subject,
  outcome: { text, lines },
  isRunning,
  isFailed,
  words,
}: {
  readonly name: string;
  /** The thing that it is done to. Empty where the arguments do not say. */
  readonly subject: string;
  readonly outcome: CallOutcome;
  readonly isRunning: boolean;
  readonly isFailed: boolean;
  readonly words: TalkWords;
}): ReactNode {
  const seconds = useSeconds(isRunning);
  const { icon, verb } = callKind(name);
  const told = verb === undefined ? undefined : (isRunning || isFailed ? words.does : words.did)[verb];
  const state = isRunning ? words.running : text;
  const time = seconds > 0 ? words.seconds(seconds) : "";
  return (
    <>
      {isRunning ? <span className="askwire-ring" aria-hidden="true" /> : <Icon name={icon} />}
      <span className="askwire-verb">{told ?? <Foreign text={name} />}</span>
      {told !== undefined && (
        <span className="askwire-unseen">
          <Foreign text={name} />
        </span>
      )}{" "}
      <span className="askwire-subject" dir="ltr">
        <Foreign text={subject} />
      </span>{" "}
      <span className="askwire-result">
        {lines !== undefined && <Lines {...lines} words={words} />}
        <Foreign text={[state, time].filter((part) => part !== "").join(" · ")} />
      </span>
    </>
  );
}

/** The lines that were added and removed, as signs for the eye and as words for a screen reader. */
const Lines = ({
  added,
  removed,
  words,
}: {
  readonly added: number;
  readonly removed: number;
  readonly words: TalkWords;
}): ReactNode => (
  <>
    <span className="askwire-unseen">
      {words.added}: {added}, {words.removed}: {removed}{" "}
    </span>
    <span className="askwire-lines" aria-hidden="true">
      <span className="askwire-added">+{added}</span> <span className="askwire-removed">−{removed}</span>{" "}
    </span>
  </>
);
