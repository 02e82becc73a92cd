/** A text below its name, in a fence that is longer than any in it. It is told apart from the words before it. */
export function fencedText(name: string, text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `\n\n${name}\n${fence}\n${text}\n${fence}`;
}

/** The name and the text of what {@link fencedText} made. Undefined for any other text. */
export function readFenced(whole: string): { readonly name: string; readonly text: string } | undefined {
  const [, name, fence = "", rest = ""] = /^\n\n([^\n]+)\n(`{3,})\n(.*)$/s.exec(whole) ?? [];
  const end = `\n${fence}`;
  return name !== undefined && rest.endsWith(end) ? { name, text: rest.slice(0, -end.length) } : undefined;
}
