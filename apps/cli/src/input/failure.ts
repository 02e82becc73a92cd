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
