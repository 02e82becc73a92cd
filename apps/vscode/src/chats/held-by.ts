/** The number of the process that has a session open, if that is why an agent did not start. */
export const heldBy = (error: unknown): string | undefined =>
  error instanceof Error ? /session is in use by process (\d+)/.exec(error.message)?.[1] : undefined;
