import { createInterface } from "node:readline/promises";

/** Finds out if a person can be asked: standard input and standard error are a terminal. */
export const canConfirm = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks at the terminal. Enter alone, another word, Ctrl-C and the end of the input are no. */
export async function confirmed(question: string): Promise<boolean> {
  const line = createInterface({ input: process.stdin, output: process.stderr });
  const left = new AbortController();
  line.once("close", () => left.abort());
  try {
    return /^y(?:es)?$/i.test((await line.question(`${question} [y/N] `, { signal: left.signal })).trim());
  } catch {
    // The input ended, or Ctrl-C was pressed.
    process.stderr.write("\n");
    return false;
  } finally {
    line.close();
  }
}
