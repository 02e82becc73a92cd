import type { HeardRequest } from "@askwire/protocol";

/** The people that a request is for, as a row of a list says it to one reader (P-XTO-4). */
export interface RowAddress {
  /** The names of roles and persons, in the words of the asker. Empty where whoever may answer at all may answer it. */
  readonly names: readonly string[];
  /** True where it is for the reader, by name or by a role. */
  readonly isToMe: boolean;
  /** False where the reader may not answer it, since it is for others. */
  readonly mayAnswer: boolean;
  /** True once its people have grown, since it was open for long. */
  readonly isEscalated: boolean;
}

/** Reads for whom the request of a row is. */
export function addressedIn({ to, to_me, may_answer, escalated }: HeardRequest): RowAddress {
  const { roles, principals } = Object(to);
  const names = [roles, principals]
    .flatMap((list: unknown) => (Array.isArray(list) ? list : []))
    .filter((name) => typeof name === "string");
  return {
    names,
    isToMe: to_me === true,
    mayAnswer: may_answer !== false,
    isEscalated: typeof escalated === "number" && escalated > 0,
  };
}
