import type { DisplayBlockInput } from "@askwire/protocol";

/** Blocks as Markdown, for an approval that is put as a question (P-XAO-5). */
export const displayMarkdown = (display: readonly DisplayBlockInput[]): string =>
  display.map((block) => blockMarkdown(block as Fields)).join("\n\n");

type Fields = { readonly type: string; readonly [field: string]: unknown };

function blockMarkdown(block: Fields): string {
  const text = (field: string) => String(block[field] ?? "");
  switch (block.type) {
    case "brief":
      return text("text");
    case "shell":
      return fenced(text("language"), text("command"));
    case "diff":
      return `\`${text("path").replaceAll("`", "'")}\`\n\n${fenced("diff", changed(text("old_text"), text("new_text")))}`;
    default:
      return fenced("json", JSON.stringify(block, null, 2));
  }
}

/** A fence longer than each row of backticks inside. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const name = language.replace(/[^\w+-]/g, "");
  return `${fence}${name}\n${text}\n${fence}`;
}

/** The lines that change, with what is equal before and after them. */
function changed(before: string, after: string): string {
  const old = before === "" ? [] : before.split("\n");
  const now = after === "" ? [] : after.split("\n");
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const marked = (sign: string, lines: readonly string[]) => lines.map((line) => sign + line);
  return [
    ...marked(" ", old.slice(0, head)),
    ...marked("-", old.slice(head, old.length - tail)),
    ...marked("+", now.slice(head, now.length - tail)),
    ...marked(" ", old.slice(old.length - tail)),
  ].join("\n");
}
