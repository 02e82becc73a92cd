// Runs `askwire chat` in a terminal on a small project and keeps what it shows: docs/captures/*.svg and chat.txt.
// With --check nothing is written, and it fails when the program shows something else than chat.txt.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const captures = join(root, "docs", "captures");
// The terminal and its screen are tools of the command's own tests.
const requireFromCommand = createRequire(join(root, "apps/cli/package.json"));
const { spawn } = requireFromCommand("@lydell/node-pty");
const { Terminal } = requireFromCommand("@xterm/headless");

const columns = 98;
const rows = 120;
const project = {
  name: "paint-shop",
  scripts: { lint: "eslint .", test: "vitest run" },
  engines: { node: ">=20" },
};
/** What is typed, an answer a prompt. */
const typed = ["1,3", "1,2", "1", "y"];

/** Runs the command, answers each prompt as it appears and resolves with the screen at the end. */
async function run(folder) {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  const command = join(root, "apps/cli/bin/askwire.js");
  const env = { ...process.env, TERM: "xterm-256color", ASKWIRE_LOG: "error" };
  delete env.NO_COLOR;
  const child = spawn(process.execPath, [command, "chat"], {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd: folder,
    env,
  });
  const answers = [...typed];
  let answeredRow = -1;
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error(`the command did not end; the screen:\n${textOf(terminal)}`));
    }, 10_000);
    child.onData((data) => {
      terminal.write(data, () => {
        // Each prompt is on a row of its own, and its text may come in pieces.
        const row = terminal.buffer.active.cursorY;
        const line = terminal.buffer.active.getLine(row)?.translateToString(true).trimEnd() ?? "";
        if (row <= answeredRow || !line.endsWith(" >") || answers.length === 0) return;
        answeredRow = row;
        child.write(`${answers.shift()}\r`);
      });
    });
    child.onExit(() => {
      clearTimeout(timer);
      terminal.write("", () => resolve(terminal));
    });
  });
}

function rowsOf(terminal) {
  const { active } = terminal.buffer;
  const all = Array.from({ length: rows }, (_, row) => active.getLine(row));
  const last = all.findLastIndex((line) => line.translateToString(true).trim() !== "");
  return all.slice(0, last + 1);
}

const textOf = (terminal) =>
  `${rowsOf(terminal)
    .map((line) => line.translateToString(true).trimEnd())
    .join("\n")}\n`;

const palette = { 1: "#f47067", 2: "#8ddb8c", 6: "#76e3ea" };
const escapeXml = (text) => text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);

/** One row as text spans, one for each run of cells with the same look. */
function spansOf(line) {
  const spans = [];
  for (let x = 0; x < columns; x++) {
    const cell = line.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const fill = cell.isFgDefault() ? "" : ` fill="${palette[cell.getFgColor()] ?? "#adbac7"}"`;
    const style = `${fill}${cell.isBold() ? ' font-weight="bold"' : ""}${cell.isDim() ? ' opacity="0.65"' : ""}`;
    const text = cell.getChars() || " ";
    const previous = spans.at(-1);
    if (previous?.style === style) previous.text += text;
    else spans.push({ style, text, x });
  }
  return spans.filter(({ text }) => text.trim() !== "");
}

function svgOf(lines, title) {
  const [width, lineHeight, charWidth, margin] = [Math.ceil(columns * 8.4) + 32, 19, 8.4, 16];
  const height = lines.length * lineHeight + margin * 2;
  const texts = lines.flatMap((line, row) =>
    spansOf(line).map(({ style, text, x }) => {
      const shown = text.trim();
      const start = x + text.length - text.trimStart().length;
      const at = `x="${(margin + start * charWidth).toFixed(1)}" y="${margin + row * lineHeight + 14}"`;
      return `<text ${at} textLength="${(shown.length * charWidth).toFixed(1)}"${style}>${escapeXml(shown.replaceAll(" ", "\u00a0"))}</text>`;
    }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    `<rect width="100%" height="100%" rx="8" fill="#22272e"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#adbac7" style="white-space: pre">`,
    ...texts,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

const folder = await mkdtemp(join(tmpdir(), "askwire-capture-"));
try {
  await writeFile(join(folder, "package.json"), JSON.stringify(project));
  await writeFile(join(folder, "package-lock.json"), "{}");
  const terminal = await run(folder);
  const text = textOf(terminal);
  if (process.argv.includes("--check")) {
    const kept = await readFile(join(captures, "chat.txt"), "utf8");
    if (kept !== text) {
      process.stderr.write(
        `docs/captures/chat.txt is not what the command shows: node scripts/capture.mjs\n${text}`,
      );
      process.exitCode = 1;
    }
  } else {
    const lines = rowsOf(terminal);
    const split = lines.findIndex((line) => line.translateToString(true).includes("WriteFile"));
    await mkdir(captures, { recursive: true });
    await writeFile(join(captures, "chat.txt"), text);
    await writeFile(
      join(captures, "questions.svg"),
      svgOf(lines.slice(0, split), "askwire chat asks three questions"),
    );
    await writeFile(
      join(captures, "approval.svg"),
      svgOf(lines.slice(split), "askwire chat shows a file and asks for approval"),
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
