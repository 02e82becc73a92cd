import { useRef } from "react";
import { runOutside } from "./outside.js";

/** The person's work on a card, and what happens to it. */
interface Work<Draft, Reply, Issues> {
  readonly draft?: Draft;
  onDraft?(draft: Draft): void;
  readonly issues?: Issues;
  onReply(reply: Reply): void;
}

/**
 * Keeps the work above a card's boundary, so that a card that is drawn anew resumes it, and one whose reply is given
 * stays closed.
 */
export function useKeptWork<Draft, Reply, Issues extends readonly unknown[]>({
  draft,
  onDraft,
  issues,
  onReply,
}: Work<Draft, Reply, Issues>) {
  const work = useRef<{ draft: Draft | undefined; answered?: { readonly issues: Issues | undefined } }>({
    draft,
  });
  const { current } = work;
  return {
    ...(current.draft !== undefined && { draft: current.draft }),
    /** True once a reply was given, until the server refuses it. Reasons that go away are no refusal. */
    isAnswered:
      current.answered !== undefined && (current.answered.issues === issues || (issues ?? []).length === 0),
    onDraft(next: Draft) {
      current.draft = next;
      runOutside(() => onDraft?.(next));
    },
    onReply(reply: Reply) {
      onReply(reply);
      current.answered = { issues };
    },
  };
}
