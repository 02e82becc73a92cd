import type { AskedToEnd } from "../../../client/src/index.js";

/** One session of a program that asks, and the number of the question that it goes on with. */
export interface Asking {
  readonly id: string;
  readonly from: number;
}

/** The words of a process of programs or people on itself. */
export type Told =
  /** A program heard how its question ended. */
  | {
      readonly what: "ended";
      readonly session: string;
      readonly count: number;
      readonly request: string;
      readonly outcome: AskedToEnd["outcome"];
      readonly label: string | undefined;
    }
  /** A person was shown a question. */
  | { readonly what: "shown"; readonly key: string; readonly request: string }
  /** Each program has heard the end of its last question, or each person has come. */
  | { readonly what: "done" | "there" }
  | { readonly what: "failed"; readonly why: string };

/** Orders for such a process. */
export type Order =
  | { readonly what: "ask"; readonly sessions: readonly Asking[] }
  | { readonly what: "answer"; readonly sessions: readonly string[]; readonly thinkMs: number }
  /** Programs ask nothing more, and people answer at once. */
  | { readonly what: "end" };
