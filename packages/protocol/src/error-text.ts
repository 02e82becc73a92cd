/** What was thrown, in words: also a symbol, and an object that cannot be made a text. */
export function errorText(error: unknown): string {
  try {
    return String(error);
  } catch {
    return `an object that is no error (${Object.prototype.toString.call(error)})`;
  }
}
