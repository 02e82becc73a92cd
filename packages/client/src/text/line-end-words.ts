/** The ends of lines of a part of a file by name, each once, in the order CR LF, LF, CR. */
function namesOf(part: string, other: string): string[] {
  const lines = part.split("\n");
  const last = lines.pop() as string;
  const ends: string[] = lines.map((line) => (line.endsWith("\r") ? "CR LF" : "LF"));
  // The line feed of a last line may be left out on both sides, and its carriage return is there.
  if (last.endsWith("\r")) ends.push("CR LF");
  else if (last !== "" && /\r$/.test(other)) ends.push("LF");
  if (/\r(?!\n|$)/.test(part)) ends.push("CR");
  return ["CR LF", "LF", "CR"].filter((name) => ends.includes(name));
}

const inWords =
  (and: string, said: (before: string, after: string) => string) =>
  (before: string, after: string): string => {
    const [old, now] = [namesOf(before, after), namesOf(after, before)].map((names) => names.join(and));
    return !old || !now || old === now ? "" : said(old, now);
  };

/**
 * Says in a sentence that the ends of lines are others after a change, which a difference does not show by itself. Takes
 * both sides of the difference. Empty where the same ends are on both, or one side has none.
 */
export const lineEndWords: Readonly<Record<"en" | "zh", (before: string, after: string) => string>> = {
  en: inWords(" and ", (before, after) => `Line ends change: ${before} before, ${after} after.`),
  zh: inWords("、", (before, after) => `行尾有变：修改前 ${before}，修改后 ${after}。`),
};
