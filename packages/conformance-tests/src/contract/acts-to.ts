import type { Writable } from "node:stream";

/** The receiver of the person's acts. */
export type ActsTo =
  /** The command itself: each act is a line on its standard input. */
  | { readonly to: "stdin" }
  /** A program of the author's, which is run once for each act and reads the act on its standard input. */
  | { readonly to: "program"; readonly file: string }
  | AtTerminal;

/** A human at a terminal, who is told what to do. */
export interface AtTerminal {
  readonly to: "terminal";
  /** Hears each line that is typed, until the returned function is called. */
  hear(typed: (line: string) => void): () => void;
  readonly output: Writable;
}
