import type { CheckContext, Exchange } from "./check.js";

/** A look at whether a program speaks at all, before any check. */
export interface Probe<Context extends CheckContext = CheckContext> {
  /** Starts the program and waits for its first message. Resolves with true if it has the extended profile. */
  run(context: Context): Promise<boolean>;
  /** The next step for the author of a program that says nothing. */
  readonly advice: string;
}

/** A program that said nothing, so that no check was run. */
export interface Unreachable {
  readonly expected: string;
  readonly received: string;
  /** The next step, in a sentence. */
  readonly advice: string;
  readonly transcript: readonly Exchange[];
}
