import type { UserInput } from "@askwire/protocol";
import { shortLine } from "../runtime/short-line.js";

/** The most UTF-16 units of a title. */
const MAX_TITLE = 120;

/** The title that somebody gives a session; undefined for one that says nothing. */
export const titleOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : shortLine(text, MAX_TITLE) || undefined;

/** The title that a prompt gives a session: its first line that says something. */
export function promptTitle(input: UserInput): string | undefined {
  const texts =
    typeof input === "string" ? [input] : input.map((part) => (part.type === "text" ? part.text : ""));
  for (const text of texts) {
    const title = titleOf(/\S.*/.exec(text)?.[0]);
    if (title !== undefined) return title;
  }
  return undefined;
}
