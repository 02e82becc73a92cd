import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import type { Terminal } from "../terminal.js";
import { askAt, key, press, report, start } from "./at-panel.js";
import { inTurn } from "./in-turn.js";

const agent = fileURLToPath(new URL("./previewing-agent.mjs", import.meta.url));

/** Sequences that a terminal obeys, text that is written from the right, what cannot be seen, and no characters. */
const evil =
  "\u001b[2J\u001b]0;owned\u0007\u001b[?1049h\u009b31m\r\b\u202egpj\u2066\u200b\ufeff\ufdd0\u{1ffff}\u2028";
const shown =
  "\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{1b}[?1049h\\u{9b}31m\\u{d}\\u{8}\\u{202e}gpj\\u{2066}\\u{200b}\\u{feff}\\u{fdd0}\\u{1ffff}\\u{2028}";
const obeyed = [
  ...["\u001b[2J", "\u001b]0;owned", "\u001b[?1049h", "\u009b", "\b", "\u202e", "\u2066", "\u200b"],
  ...["\ufeff", "\ufdd0", "\u{1ffff}", "\u2028", "\ufffd"],
];
const WIDE = 400;

/** A conversation with an agent that asks these questions, once their panel is there. */
async function asked(questions: readonly object[], options: { columns?: number; rows?: number } = {}) {
  const cwd = await folderWith({ "q.json": JSON.stringify(questions) });
  const args = ["chat", "--prompt", "go", "--no-bell", "--", process.execPath, agent, join(cwd, "q.json")];
  const terminal = start(args, { cwd, ...options });
  await terminal.waitForRows(/❯[\s\S]*Esc/);
  return terminal;
}

/** The columns up to which the last frame was written: a row beyond the window would be cut there. */
function widest({ sent }: Terminal): number {
  const begin = sent.lastIndexOf("\u001b[?2026h");
  const text = sent.slice(begin, sent.indexOf("\u001b[?2026l", begin));
  // Each change of the place begins another piece, at the column that G names, else at the first.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those of a terminal
  const pieces = text.split(/(?=\r|\u001b\[\d*G)/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those of a terminal
  const from = (piece: string) => Number(/^\u001b\[(\d+)G/.exec(piece)?.[1] ?? 1) - 1;
  return Math.max(...pieces.map((piece) => from(piece) + stringWidth(stripVTControlCharacters(piece))));
}

describe("foreign text in panels", () => {
  test("foreign text in a question, its header, labels and descriptions is shown, not obeyed", async () => {
    const options = [{ label: `L${evil}`, description: `D${evil}\n2. Fake` }, "Blue"];
    const terminal = await askAt(
      [
        { question: `Q${evil}?`, header: `H${evil}`, options },
        { question: "Next?", header: "N" },
      ],
      { columns: WIDE, rows: 40 },
    );
    const screen = await terminal.waitFor("Esc decline");
    for (const place of ["Q", "L", "D"]) expect(screen).toContain(place + shown);
    expect(screen).toContain(`H${shown.slice(0, 10)}`);
    expect(screen).not.toMatch(/^ *2\. Fake/m);
    await press(terminal, [
      [key.enter, "Next?"],
      [`x\u200b`, /x\\u\{200b\}/],
      [key.enter, "Submit answers"],
      [key.ctrl("e"), "Esc back"],
      [key.ctrl("e"), "Submit answers"],
      key.enter,
    ]);
    expect((await report(terminal)).items).toMatchObject([{ selected: ["q1_o1"] }, { own_text: "x\u200b" }]);
    const [panel, printed] = terminal.sent.split('{"outcome');
    for (const each of obeyed.filter((each) => each !== "\u200b")) expect(panel).not.toContain(each);
    // The answers name the question, with nothing that the terminal obeys either.
    for (const each of ["\u001b", "\u0007", "\u009b", "\u202e", "\u2066", "\u2028"])
      expect(printed).not.toContain(each);
    expect(Object.keys(JSON.parse(`{"outcome${printed}`).answers)).toContain(`Q${evil}?`);
  });

  test("foreign text in a body, a preview, a placeholder and the label for own text is shown, not obeyed, in the full text as well", async () => {
    const terminal = await asked(
      [
        {
          question: "Which?",
          body: `B${evil}`,
          options: [{ label: "One", preview: `P${evil}\n\tx` }, { label: "Two" }],
          other_label: `O${evil}`,
          placeholder: `T${evil}`,
        },
      ],
      { columns: WIDE, rows: 40 },
    );
    const screen = terminal.rows().join("\n");
    expect(screen).toContain(`B${shown}`);
    // Beside each other they have less room.
    for (const place of ["O", "P"]) expect(screen).toContain(place + shown.slice(0, 20));
    terminal.type(key.ctrl("e"));
    const read = await terminal.waitForRows(/Esc back/);
    for (const place of ["B", "P", "O"]) expect(read).toContain(place + shown);
    for (const each of obeyed) expect(terminal.sent).not.toContain(each);
  });

  test("foreign text in an approval is shown, not obeyed: who asks, for what, the command, and the line that stays", async () => {
    const turn = await inTurn({ columns: WIDE, rows: 40, args: ["--no-bell"] });
    const display = [{ type: "shell", language: "bash", command: `C${evil}` }];
    turn.approves(`D${evil}`, { sender: `S${evil}`, action: `A${evil}`, display });
    const screen = await turn.terminal.waitForRows(/❯[\s\S]*Esc/);
    for (const place of ["S", "A", "D", "C"]) expect(screen).toContain(place + shown);
    turn.terminal.type(key.enter);
    expect(await turn.terminal.waitFor(/● D.*→/)).toContain(`● D${shown}`);
    for (const each of obeyed) expect(turn.terminal.sent).not.toContain(each);
  });

  test("control characters that were typed or pasted are shown in the field, on the page to review and in the line that stays", async () => {
    const terminal = await askAt([{ question: "What?" }, { question: "And?" }], { columns: WIDE, rows: 40 });
    const pasted = evil.replace("\r", "");
    const seen = shown.replace("\\u{d}", "");
    await press(terminal, [
      [key.paste(pasted), seen],
      [key.enter, "And?"],
      ["y", "y"],
      [key.enter, seen],
      [key.ctrl("e"), "Esc back"],
      [key.escape, "Submit answers"],
      key.enter,
    ]);
    await terminal.ended;
    const [before = "", line] = terminal.sent.split('{"outcome');
    expect(JSON.parse(`{"outcome${line}`).items).toMatchObject([{ own_text: pasted }, { own_text: "y" }]);
    expect(before).toContain(`→ ${seen}`);
    for (const each of obeyed) expect(before).not.toContain(each);
  });

  test("halves of characters, even those of a paste, come through as something visible", async () => {
    const terminal = await askAt([{ question: "Half \ud83d of it?", options: ["\ude00 a", "b\ud83d"] }]);
    expect(await terminal.waitForRows("Esc decline")).toMatch(/Half (\\u\{d83d\}|\ufffd) of it\?/);
    terminal.type(key.down + key.enter);
    expect((await report(terminal)).items).toMatchObject([{ selected: ["q1_o2"] }]);
  });
});

describe("the shape of a frame", () => {
  const family = "👨‍👩‍👧‍👦";
  const marks = `e${"\u0301".repeat(60)}`;
  test.each([
    ["wide characters", "数据库迁移", 80],
    ["wide characters on an odd width", "数据库迁移", 41],
    ["emoji of several characters", `${family} 👩🏽‍💻 🇨🇳 ❤️`, 79],
    ["heaped marks", marks, 60],
    ["64 kB in one word", "x".repeat(65_536), 80],
    ["64 kB of wide characters", "宽".repeat(21_845), 73],
    ["10,000 lines", "a line\n".repeat(10_000), 80],
    ["tabs", "a\tb\tc\t\td", 80],
    ["nothing", "", 80],
  ])("a frame keeps its shape with %s everywhere", async (_what, text, columns) => {
    const option = { label: text || " ", description: text, preview: `${text}\n${text}` };
    const terminal = await asked(
      [
        { question: text || "?", header: text, body: text, options: [option, { label: "Last" }] },
        { question: "Next?", options: [] },
      ],
      { columns },
    );
    for (const keys of [key.down, key.down, "数据x", key.ctrl("e") + key.end, "q", key.tab]) {
      const { length } = terminal.sent;
      terminal.type(keys);
      await expect.poll(() => terminal.sent.indexOf("\u001b[?2026l", length), { interval: 5 }).not.toBe(-1);
      expect(widest(terminal)).toBeLessThanOrEqual(columns);
    }
    terminal.type(key.ctrl("c"));
    await terminal.waitFor(/→ |declined/);
  });

  test.each([
    ["beside the rows", 100],
    ["below them", 60],
  ])("the edges of a preview %s stand in one column", async (_where, columns) => {
    const preview = `short\n数据库迁移\n${"x".repeat(300)}\n\ttab\n\u001b[31mred\ne\u0301\u0301 marks`;
    const options = [
      { label: "数据", preview },
      { label: "B", description: "宽".repeat(40) },
    ];
    const terminal = await asked([{ question: "Which?", options, own_text: false }], { columns });
    const lines = terminal.rows();
    const top = lines.findIndex((line) => line.includes("╭"));
    const bottom = lines.findIndex((line) => line.includes("╰"));
    expect(bottom - top).toBeGreaterThan(3);
    const edge = (line: string, at: string) => stringWidth(line.slice(0, line.lastIndexOf(at)));
    for (const line of lines.slice(top + 1, bottom)) {
      expect(edge(line, "│")).toBe(edge(lines[top] as string, "╮"));
      expect(stringWidth(line.slice(0, line.indexOf("│")))).toBe(
        stringWidth((lines[top] as string).slice(0, (lines[top] as string).indexOf("╭"))),
      );
    }
    expect(edge(lines[bottom] as string, "╯")).toBe(edge(lines[top] as string, "╮"));
  });

  test("a question with 200 options, each a screen long, can be answered", async () => {
    const options = Array.from({ length: 200 }, (_, index) => ({
      label: `Option ${index + 1}`,
      description: "word ".repeat(400),
    }));
    const terminal = await askAt([{ question: "Which?", options }], { rows: 12 });
    await press(terminal, [
      [key.up, /❯ 201\. Other/],
      [key.up, /❯ 200\. Option 200/],
      [key.down, /❯ 201\. Other/],
      [key.down, /❯ +1\. Option 1 /],
      [key.up + key.up, /❯ 200\. Option 200/],
      key.enter,
    ]);
    expect((await report(terminal)).items).toMatchObject([{ selected: ["q1_o200"] }]);
  });
});
