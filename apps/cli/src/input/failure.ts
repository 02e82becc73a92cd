/** A failure that a person can do something about: printed as one line, without a stack. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A wrong use of the command line. */
export const usageFailure = (message: string) => new Failure(message, 2);
