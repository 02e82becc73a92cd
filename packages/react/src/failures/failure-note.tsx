import { visibleText } from "@askwire/client/text";
import type { FailureWords } from "@askwire/client/words";
import type { ReactNode } from "react";

/** Says what failed and why, with the way on. */
export const FailureNote = ({
  text,
  error,
  button,
  onPress,
  isQuiet,
  words,
}: {
  readonly text: string;
  readonly error: unknown;
  readonly button: string;
  onPress(): void;
  readonly isQuiet: boolean;
  readonly words: FailureWords;
}): ReactNode => (
  <div className="askwire askwire-failed" {...(!isQuiet && { role: "alert" })}>
    <p>{text}</p>
    <p>
      <small dir="auto">{words.why(messageOf(error))}</small>
    </p>
    <button type="button" onClick={onPress}>
      {button}
    </button>
  </div>
);

/** Characters of the longest reason. */
const LONGEST = 300;

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  let message = "?";
  try {
    message = error instanceof Error && error.message !== "" ? error.message : String(error);
  } catch {
    // An object without a text.
  }
  return visibleText(message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message);
}
