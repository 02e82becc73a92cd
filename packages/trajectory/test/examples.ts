import {
  formatLine,
  readRecordedSession,
  sessionExamples,
  type TrainingFormat,
  unitOf,
} from "../src/index.js";
import { id } from "./kept-session.js";

/** Lines of a format, whose parts tests look at. */
// biome-ignore lint/suspicious/noExplicitAny: JSON as a training program reads it.
export type Line = any;

/** The examples of a journal in a format, with what is left out. */
export async function examplesIn(file: string, format: TrainingFormat) {
  const read = await readRecordedSession(file, id);
  if (typeof read === "string") throw new Error(`no session: ${read}`);
  const { examples, without, bare } = sessionExamples(read, unitOf(format));
  const lines: Line[] = examples.map((example) => formatLine(format, example));
  return { lines, without, bare };
}
