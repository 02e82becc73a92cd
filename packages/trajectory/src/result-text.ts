import type { ContentPart, ToolReturnValue, UserInput } from "@askwire/protocol";

/** A person's words as text. A picture, a sound or a film is named by its kind. */
export const inputText = (input: UserInput): string =>
  typeof input === "string" ? input : input.flatMap(partText).join("\n");

/** The result of a native call for a model: the tool's explanation, marked as such, then its output (P-TRJ-4). */
export function resultText({ is_error, output, message }: ToolReturnValue): string {
  const told = message === "" ? [] : [system(is_error ? `ERROR: ${message}` : message)];
  const given =
    typeof output === "string" ? [output].filter((text) => text !== "") : output.flatMap(partText);
  const all = [...told, ...given];
  return all.length === 0 ? system("The tool gave no output.") : all.join("\n");
}

const system = (note: string) => `<system>${note}</system>`;

/** A part as text. Empty parts give nothing, as do thoughts, which a person and a tool do not have. */
export function partText(part: ContentPart): string[] {
  if (part.type === "text") return part.text === "" ? [] : [part.text];
  return part.type === "think" ? [] : [`[${part.type}]`];
}
