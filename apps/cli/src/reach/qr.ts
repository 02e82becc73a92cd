import { encode } from "uqr";

/** The light modules around a code. */
const BORDER = 2;
/** Black on white, also where the terminal is dark, and the end of that. */
const [ON, OFF] = ["\u001b[30;107m", "\u001b[0m"];

/**
 * Draws a text as a QR code, two modules in each character.
 *
 * @returns undefined for a code that is wider than these columns.
 */
export function qrLines(text: string, columns: number): string[] | undefined {
  const { data, size } = encode(text, { border: BORDER });
  if (size > columns) return undefined;
  const lines: string[] = [];
  for (let row = 0; row < size; row += 2) {
    const blocks = Array.from({ length: size }, (_, column) =>
      block(data[row]?.[column] === true, data[row + 1]?.[column] === true),
    );
    lines.push(`${ON}${blocks.join("")}${OFF}`);
  }
  return lines;
}

const block = (upper: boolean, lower: boolean) => (upper ? (lower ? "█" : "▀") : lower ? "▄" : " ");
