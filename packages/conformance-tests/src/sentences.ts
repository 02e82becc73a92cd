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
  readonly weight: "MUST" | "SHOULD";
  readonly profile: string;
  readonly place: "wire" | "server" | "client";
}

const form = /^- <a id="[^"]+"><\/a>\*\*(P-[A-Z]+-\d+)\*\* \((MUST|SHOULD), (\w+), (wire|server|client)\)/gm;

/** The link to a sentence, from the root of the repository. */
export const linkTo = (id: string): string => `docs/protocol.md#${id}`;

/** The numbered sentences of the protocol's page, in its order. */
export function sentencesOf(page: string): Sentence[] {
  return [...page.matchAll(form)].map(
    ([, id, weight, profile, place]) => ({ id, weight, profile, place }) as Sentence,
  );
}
