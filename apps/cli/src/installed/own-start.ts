import { realpathSync } from "node:fs";
import { ownExecutable } from "./own-executable.js";

/** The words that start a program: its file, then its first arguments. */
export type StartWords = readonly [program: string, ...args: string[]];

/** The words that start this very installation again: the executable alone, or Node with the command's file. */
export const ownStart = (): StartWords => startWords(process, ownExecutable() !== undefined);

/**
 * The words that start the command of a process again.
 *
 * @param isExecutable true for a single executable, whose `argv[1]` is the word that the person typed, and no file.
 */
export const startWords = (
  { execPath, argv }: { readonly execPath: string; readonly argv: readonly string[] },
  isExecutable: boolean,
): StartWords => (isExecutable ? [execPath] : [execPath, realpathSync(argv[1] ?? "")]);
