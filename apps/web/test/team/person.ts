/** A person of the team at their inbox, as a script plays them. */
export interface Person {
  readonly name: string;
  /** Answers something that waits, or looks for it a moment. Rejects with what was awkward. */
  step(): Promise<void>;
  /** Begins anew, as a person does who does not know what to do: loads the page again, or starts the command again. */
  anew(): Promise<void>;
  /** The screen at this moment, in words. */
  screen(): Promise<string>;
}

/** Chance and time, as this run has them. */
export interface Pace {
  readonly random: () => number;
  /** A person thinks, in milliseconds of this run. */
  think(): Promise<void>;
}
