import type { ContentPart, ToolReturnValue, UserInput } from "@askwire/protocol";

/** What a person said, as text; of a picture, a sound or a film its kind. */
export const inputText = (input: UserInput): string =>
  typeof input === "string" ? input : input.flatMap(partText).join("\n");

/** What a model reads of a native call's result: what the tool explains, marked as such, then its output (P-TRJ-4). */
export function resultText({ is_error, output, message }: ToolReturnValue): string {
  const told = message === "" ? [] : [system(is_error ? `ERROR: ${message}` : message)];
  const given =
    typeof output === "string" ? [output].filter((text) => text !== "") : output.flatMap(partText);
  const all = [...told, ...given];
  return all.length === 0 ? system("The tool gave no output.") : all.join("\n");
}

const system = (note: string) => `<system>${note}</system>`;

/** A part as text; nothing of an empty one, nor of a thought, which a person and a tool do not have. */
export function partText(part: ContentPart): string[] {
  if (part.type === "text") return part.text === "" ? [] : [part.text];
  return part.type === "think" ? [] : [`[${part.type}]`];
}
