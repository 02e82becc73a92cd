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
