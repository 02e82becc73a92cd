/** The sentence about a path that is too long for the system. Undefined for any other error. */
export const nameProblem = (error: unknown): string | undefined =>
  (error as NodeJS.ErrnoException).code === "ENAMETOOLONG"
    ? "longer than the system takes, which is 255 bytes a name on most; use a shorter one"
    : undefined;
