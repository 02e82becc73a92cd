/** Both are texts. */
export const texts = (kimi: unknown, ours: unknown): boolean =>
  typeof kimi === "string" && typeof ours === "string";

/** Ours is theirs, a colon and more. */
export const longer = (kimi: unknown, ours: unknown): boolean =>
  texts(kimi, ours) && String(ours).startsWith(`${kimi}: `);

const code = (error: unknown) => (error as { code?: number } | undefined)?.code;

/** Theirs has no such member, and ours is an error of that code. */
export const onlyOurError =
  (number: number) =>
  (kimi: unknown, ours: unknown): boolean =>
    kimi === undefined && code(ours) === number;

/** Theirs is an error of that code, and ours has no such member. */
export const onlyTheirError =
  (number: number) =>
  (kimi: unknown, ours: unknown): boolean =>
    ours === undefined && code(kimi) === number;
