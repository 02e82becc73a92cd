/** A failure that a person can mend: printed as one line, without a stack. */
export class CommandFailure extends Error {
  override readonly name = "Failure";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Makes a failure for a wrong use of the command line. */
export const usageFailure = (message: string) => new CommandFailure(message, 2);

/**
 * The result of an act on files.
 *
 * @param what the command, with which a message begins.
 * @throws Failure for the system's errors.
 */
export function failing<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new CommandFailure(`${what}: ${(error as Error).message}`);
  }
}
