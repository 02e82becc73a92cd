// Draws a terminal's screen, as text and as SVG.

/** @typedef {{ getChars(): string, getWidth(): number, isFgDefault(): boolean, getFgColor(): number, isBold(): number, isItalic(): number, isUnderline(): number, isDim(): number }} Cell */
/** @typedef {{ translateToString(trimRight?: boolean): string, getCell(x: number): Cell | undefined }} Line */
/** @typedef {{ cols: number, rows: number, buffer: { active: { baseY: number, getLine(y: number): Line } } }} Terminal the screen of @xterm/headless */

/**
 * The rows on the screen, without the empty ones at its end.
 *
 * @param {Terminal} terminal
 * @returns {Line[]}
 */
export function rowsOf(terminal) {
  const { active } = terminal.buffer;
  const all = Array.from({ length: terminal.rows }, (_, row) => active.getLine(active.baseY + row));
  return all.slice(0, all.findLastIndex((line) => line?.translateToString(true).trim() !== "") + 1);
}

/** @param {Terminal} terminal */
export const textOf = (terminal) =>
  `${rowsOf(terminal)
    .map((line) => line.translateToString(true).trimEnd())
    .join("\n")}\n`;

const palette = { 1: "#f47067", 2: "#8ddb8c", 3: "#f69d50", 4: "#6cb6ff", 5: "#dcbdfb", 6: "#76e3ea" };
const [ground, ink] = ["#22272e", "#adbac7"];
const [cellWidth, lineHeight, margin] = [8.4, 19, 16];

const escapeXml = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** A row as spans, a span for each run of cells with the same look. */
function spansOf(line, columns) {
  const spans = [];
  for (let x = 0; x < columns; x++) {
    const cell = line.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const fill = cell.isFgDefault() ? "" : ` fill="${palette[cell.getFgColor()] ?? ink}"`;
    const weight = cell.isBold() ? ' font-weight="bold"' : "";
    const slant = cell.isItalic() ? ' font-style="italic"' : "";
    const rule = cell.isUnderline() ? ' text-decoration="underline"' : "";
    const style = `${fill}${weight}${slant}${rule}${cell.isDim() ? ' opacity="0.65"' : ""}`;
    const text = cell.getChars() || " ";
    const previous = spans.at(-1);
    // A wide character is a span of its own: fonts do not agree how wide it is.
    const joins =
      previous?.style === style && previous.cells === previous.text.length && cell.getWidth() === 1;
    if (joins && text.length === 1) {
      previous.text += text;
      previous.cells += 1;
    } else spans.push({ style, text, x, cells: cell.getWidth() });
  }
  return spans.filter(({ text }) => text.trim() !== "");
}

/**
 * The screen as a picture.
 *
 * @param {Terminal} terminal
 * @param {string} title description for readers who cannot see the picture.
 */
export function svgOf(terminal, title) {
  const lines = rowsOf(terminal);
  const width = Math.ceil(terminal.cols * cellWidth) + margin * 2;
  const height = lines.length * lineHeight + margin * 2;
  const texts = lines.flatMap((line, row) =>
    spansOf(line, terminal.cols).map(({ style, text, x, cells }) => {
      const shown = text.trim();
      const start = x + text.length - text.trimStart().length;
      const length = (cells === text.length ? shown.length : cells) * cellWidth;
      const at = `x="${(margin + start * cellWidth).toFixed(1)}" y="${margin + row * lineHeight + 14}"`;
      return `<text ${at} textLength="${length.toFixed(1)}"${style}>${escapeXml(shown.replaceAll(" ", "\u00a0"))}</text>`;
    }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<rect width="100%" height="100%" rx="8" fill="${ground}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="${ink}" style="white-space: pre">`,
    ...texts,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}
