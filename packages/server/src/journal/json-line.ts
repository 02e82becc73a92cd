/**
 * JSON text for a line of a file. U+2028 and U+2029 are escaped, since some readers take them for line ends, and a
 * lone surrogate becomes U+FFFD, since some readers die of it (P-JRN-2).
 */
export function jsonLine(value: object): string {
  const text = JSON.stringify(value);
  const whole = text.includes("\\ud") ? text.replace(LONE_SURROGATE, replaced) : text;
  return whole.includes("\u2028") || whole.includes("\u2029")
    ? whole.replace(/[\u2028\u2029]/g, (c) => (c === "\u2028" ? "\\u2028" : "\\u2029"))
    : whole;
}

/** `JSON.stringify` writes only lone surrogates as such escapes; an escaped backslash is passed over first. */
const LONE_SURROGATE = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

const replaced = (found: string) => (found === "\\\\" ? found : "\ufffd");
