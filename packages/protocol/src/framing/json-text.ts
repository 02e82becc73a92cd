/**
 * Writes JSON text without a line feed, for a message or a line of a file (P-FRM-3, P-FRM-4). U+2028 and U+2029 are
 * escaped, since some readers take them for line ends. A lone surrogate becomes U+FFFD, since some peers stop there.
 */
export function jsonText(value: object): string {
  const text = JSON.stringify(value);
  const whole = text.includes("\\ud") ? text.replace(LONE_SURROGATE, replaced) : text;
  // Text without these characters is stored in one byte each, so that the search costs nothing.
  return whole.includes("\u2028") || whole.includes("\u2029")
    ? whole.replace(/[\u2028\u2029]/g, (c) => (c === "\u2028" ? "\\u2028" : "\\u2029"))
    : whole;
}

/** `JSON.stringify` writes only lone surrogates as these escapes. An escaped backslash is passed over first. */
const LONE_SURROGATE = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

const replaced = (found: string) => (found === "\\\\" ? found : "\ufffd");
