/** C0 and C1 controls but tab and line feed, and the characters that reorder text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the terminal.
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Foreign text as it may be written to a terminal: control and bidirectional characters become visible escapes. A line
 * may end as it does on Windows.
 */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(INVISIBLE, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/\s*\n\s*/g, " ");
}
