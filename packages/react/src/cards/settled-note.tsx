import type { CardWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import type { OpenRequest } from "../hooks/open-requests.js";
import { Foreign } from "./foreign-text.js";

/** Shows that a request ended without the answer of this person, with a button to take its card away. */
export const SettledNote = ({
  delivery,
  settled: { message, outcome },
  words,
  onDismiss,
  children,
}: {
  readonly delivery: OpenRequest["delivery"];
  readonly settled: NonNullable<OpenRequest["settled"]>;
  readonly words: CardWords;
  readonly onDismiss: (() => void) | undefined;
  /** The person's own words. */
  readonly children: ReactNode;
}): ReactNode => (
  <div className="askwire-settled">
    <p role="status">
      <Foreign text={told(delivery, words, message, outcome)} />
    </p>
    {children}
    {onDismiss && (
      <button type="button" className="askwire-main" onClick={onDismiss}>
        {words.dismiss}
      </button>
    )}
  </div>
);

function told(
  { is }: OpenRequest["delivery"],
  words: CardWords,
  ...[message, outcome]: Parameters<CardWords["settled"]>
): string {
  if (is === "taken") return words.approvalCounts;
  if (is === "failed") return words.notDelivered(message);
  const end = words.settled(message, outcome);
  return is === "draft" || is === "refused" ? end : words.tooLate(end);
}
