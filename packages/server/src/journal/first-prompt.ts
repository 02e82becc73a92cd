import { shortLine } from "../runtime/short-line.js";
import { rawRecord } from "./raw-record.js";

/** A prompt that ran a command, as far as a journal shows that. */
const slashCommand = /^\/[\w:-]+(?=\s|$)/;

/** UTF-16 units of a prompt that are remembered. */
const MAX_PROMPT = 4_096;

/** The first line of a recorded prompt; undefined for one without text, and for a slash command. */
export function promptLine(input: unknown): string | undefined {
  const parts: unknown[] = Array.isArray(input) ? input : [{ text: input }];
  const said = parts.flatMap((part) => {
    const words = (part as { readonly text?: unknown } | null)?.text;
    return typeof words === "string" && words.trim() !== "" ? [words.trimStart().slice(0, MAX_PROMPT)] : [];
  });
  const [line = ""] = (said[0] ?? "").split("\n");
  return line === "" || slashCommand.test(line) ? undefined : line;
}

const beginnings = new Set(["TurnBegin"]);
/** UTF-16 units of a title, at most. */
const MAX_TITLE = 120;

/** The title of a session whose first prompt is in a line of its journal; undefined for any other line. */
export function titleIn(line: string): string | undefined {
  const prompt = promptLine(rawRecord(line, beginnings)?.payload?.user_input);
  return prompt === undefined ? undefined : shortLine(prompt, MAX_TITLE) || undefined;
}
