/** The most characters at the end of a text in which markup that has only begun is searched. */
const LOOKED_AT = 2_000;

/**
 * A text whose end has markup that has only begun, with its end: what comes is shown in its style from its first
 * character on.
 */
export function closedMarkup(raw: string): string {
  const last = raw.slice(Math.max(raw.lastIndexOf("\n\n"), raw.length - LOOKED_AT, 0));
  const before = raw.slice(0, raw.length - last.length);
  if (/^ {0,3}(```|~~~)/m.test(raw)) return raw;
  const code = /(`+)(?!.*\1)/s.exec(
    last.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, (whole) => "x".repeat(whole.length)),
  );
  if (code !== null) {
    const inside = last.slice(code.index + (code[1] as string).length);
    return inside.trim() === "" ? before + last.slice(0, code.index) : raw + code[1];
  }
  return before + withoutHalfMarks(withoutHalfLink(last));
}

/** A link whose address still comes, as its text. */
const withoutHalfLink = (text: string) => text.replace(/!?\[([^\][\n]*)(?:\](?:\([^()\s]*)?)?$/, "$1");

/** Marks of strong and emphasized text, with the ends that they lack. Marks with nothing behind them are left out. */
function withoutHalfMarks(text: string): string {
  const plain = text.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, (whole) => "x".repeat(whole.length));
  const open: string[] = [];
  for (const { 0: mark, index } of plain.matchAll(/\*\*|\*|~~|(?<![\p{L}\p{N}])__|__(?![\p{L}\p{N}])/gu)) {
    const before = plain[index - 1] ?? " ";
    const after = plain[index + mark.length] ?? "";
    const at = open.lastIndexOf(mark);
    if (at !== -1 && before !== " " && before !== "\n") open.length = at;
    else if (after === "" || /\S/.test(after)) open.push(mark);
  }
  if (open.length === 0) return text;
  const ends = open.reverse().join("");
  const bare = text.replace(/[*_~]+$/, "");
  // Marks at the very end have nothing to show yet; an end that has half come is completed.
  if (bare !== text && plain.endsWith(open[0] as string)) return withoutHalfMarks(bare);
  return text.trimEnd() + ends;
}
