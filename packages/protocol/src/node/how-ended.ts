/** The words for the end of a process, such as `with status 3` or `by SIGKILL`, from its `close` event. */
export const howEnded = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `with status ${code}` : `by ${signal}`;
