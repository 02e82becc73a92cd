/** Describes a thrown value, even a symbol or an object without a text. Does not throw itself. */
export function errorText(error: unknown): string {
  try {
    return String(error);
  } catch {
    return `an object that is no error (${Object.prototype.toString.call(error)})`;
  }
}
