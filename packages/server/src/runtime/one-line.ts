/** Folds all white space, so that a message stays on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
