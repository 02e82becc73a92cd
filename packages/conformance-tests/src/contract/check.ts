import type { Player } from "../faults/player.js";
import type { ActsTo } from "./acts-to.js";

/** A promise of the protocol, with a way to see if a program keeps it. */
export interface Check<Context extends CheckContext = CheckContext> {
  /** The number of the check's line in the list of checks, such as `S42` or `C07`. */
  readonly id: string;
  /** Given, when and then in one sentence, in words that need no knowledge of our code. */
  readonly title: string;
  /** The sentences of docs/protocol.md that the check proves, such as `P-TRN-2`. */
  readonly rules: readonly string[];
  /** True if Kimi documents no such promise: docs/protocol.md adds it to the base profile. Default: false. */
  readonly isOurs?: boolean;
  /** True if none of the sentences that it proves is a MUST. Default: false. */
  readonly isAdvice?: boolean;
  /** The intended waiting time, in milliseconds, which extends the deadline. Default: 0. */
  readonly waitsMs?: number;
  /** True if the check measures time, so that a failure is tried once more. Default: false. */
  readonly timed?: boolean;
  /** True if the check looks at bytes or moments into which ordered faults would fall. Default: false. */
  readonly isExact?: boolean;
  /**
   * Talks to the program, and resolves when it keeps the promise.
   *
   * @throws CheckFailure with the expected and the received value, CheckSkipped if the program gives no evidence.
   */
  run(context: Context): Promise<void>;
}

/** The tools of a check. Opened for one check and closed afterwards, whatever its result. */
export interface CheckContext {
  /** The messages on the wire so far, both ways, in order. */
  readonly transcript: readonly Exchange[];
  /** The factor by which this machine is slower than a quiet machine, from 1. Times that a check grants grow by it. */
  readonly pace: number;
  /** The thing for which the check waits now, for the report when its deadline passes. */
  readonly awaiting: string | undefined;
  /** Ends whatever the check started, and removes its folders. */
  close(): Promise<void>;
}

/** The circumstances in which the suite opens the context of a check. */
export interface Circumstances {
  /** Variables for each process that the context starts. */
  readonly env: Readonly<Record<string, string>>;
  /** The factor by which this machine is slower than a quiet machine, from 1. */
  readonly pace: number;
  /** Makes the player of the next connection. Absent where no faults are ordered. */
  readonly player?: () => Player;
  /** The receiver of a person's acts at a client. Without it the client acts by itself. */
  readonly acts?: ActsTo;
  /** The words before a script that run it. Default: the Node of this process. */
  readonly node?: readonly string[];
}

/** A line, or a part of a line, that went over the wire, or a word about the process. */
export interface Exchange {
  /** `sent` by the suite, `received` from the program, `stderr` of the program, or a `note` of the suite. */
  readonly kind: "sent" | "received" | "stderr" | "note";
  /** As it was, but that bytes which are no UTF-8 are shown as U+FFFD. */
  readonly text: string;
}

/** A promise that is not kept. */
export class CheckFailure extends Error {
  override readonly name = "CheckFailure";
  readonly expected: string;
  readonly received: string;

  constructor(expected: string, received: string) {
    super(`expected ${expected}; received ${received}`);
    this.expected = expected;
    this.received = received;
  }
}

/** A promise that the program did not make. The message is the reason in a sentence. */
export class CheckSkipped extends Error {
  override readonly name = "CheckSkipped";
  /** True where the protocol leaves it to a program to have the ability, and the program says that it has not. */
  readonly isChoice: boolean;

  constructor(message: string, { isChoice = false }: { readonly isChoice?: boolean } = {}) {
    super(message);
    this.isChoice = isChoice;
  }
}

/** Why a line of the list is no check. */
export const exceptionReasons = {
  "not visible": "the wire does not show it",
  "decided otherwise": "the protocol's own page decides something else",
} as const;

/** A line of the list that is no check, and why. */
export interface LineException {
  readonly id: string;
  readonly reason: keyof typeof exceptionReasons;
  /** The reason in a sentence. */
  readonly why: string;
}
