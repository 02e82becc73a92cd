/** A sentence of docs/protocol.md that no check proves, and why not. */
export interface UncheckedSentence {
  readonly id: string;
  /** The reason in a sentence. */
  readonly why: string;
}

/** Sentences that no check proves, for one reason. */
export function unchecked(why: string, ids: readonly string[]): UncheckedSentence[] {
  return ids.map((id) => ({ id, why }));
}

/** A numbered sentence of docs/protocol.md. */
export interface Sentence {
  readonly id: string;
  readonly weight: "MUST" | "SHOULD" | "MAY";
  readonly profile: "base" | "extended" | "both";
  readonly place: "wire" | "server" | "client";
  /** Whose promise it is: Kimi Wire 1.10's, that of docs/protocol.md, or of each in part. */
  readonly whose: "kimi" | "ours" | "kimi and ours";
}

const form =
  /^- <a id="[^"]+"><\/a>\*\*(P-[A-Z]+-\d+)\*\* \((MUST|SHOULD|MAY), (base|extended|both), (wire|server|client), (kimi|ours|kimi and ours)\) \S/gm;

/** The link to a sentence, from the root of the repository. */
export const linkTo = (id: string): string => `docs/protocol.md#${id}`;

/** The numbered sentences of the protocol's page, in its order. */
export function sentencesOf(page: string): Sentence[] {
  return [...page.matchAll(form)].map(
    ([, id, weight, profile, place, whose]) => ({ id, weight, profile, place, whose }) as Sentence,
  );
}
