/**
 * Reads a program with its arguments, as a person types it: words apart by blanks, those with blanks in quotes, or a list
 * in JSON. A backslash is a character like any other, since paths of Windows have it.
 *
 * @returns the words. Empty for a text without any. Undefined for a quote that has no end.
 */
export function typedCommand(text: string): readonly string[] | undefined {
  const listed = listIn(text);
  if (listed !== undefined) return listed;
  if (!/^(?:\s|"[^"]*"|'[^']*'|[^\s"'])*$/.test(text)) return undefined;
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

/** The text under which a program is typed again. */
export const commandText = (command: readonly string[]): string =>
  command.every((word) => word !== "" && !/[\s"']/.test(word)) ? command.join(" ") : JSON.stringify(command);

/** The words of a list in JSON. Undefined for any other text. */
function listIn(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((word) => typeof word === "string") ? list : undefined;
  } catch {
    return undefined;
  }
}
