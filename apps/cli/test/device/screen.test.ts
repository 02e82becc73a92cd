import { stripVTControlCharacters } from "node:util";
import headless from "@xterm/headless";
import { expect, test } from "vitest";
import { counted } from "../../../../scripts/growth.js";
import type { Frame } from "../../src/device/loan.js";
import { createScreen } from "../../src/device/screen.js";
import { terminalModes } from "../../src/device/terminal-modes.js";

/** A painter in front of a terminal of this size. */
function screenOf(columns: number, rows: number) {
  const display = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 100,
    allowProposedApi: true,
    convertEol: true,
  });
  const size = { columns, rows };
  const writes: string[] = [];
  const modes = terminalModes();
  const write = (text: string) => {
    writes.push(text);
    display.write(text);
  };
  const screen = createScreen({ size, write, strayCursor: true }, modes);
  const flush = () => new Promise<void>((resolve) => display.write("", resolve));
  const text = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) =>
      display.buffer.active.getLine(from + index)?.translateToString(true),
    )
      .join("\n")
      .trimEnd();
  return {
    /** A frame that may have the second screen. */
    alone: (...lines: string[]) => screen.show({ lines, mayStandAlone: true }),
    isAlone: () => modes.has("secondScreen"),
    /** Writes above the frame. */
    put: screen.above,
    take: () => write(screen.erase()),
    forget: screen.forget,
    screen,
    write,
    writes,
    show: (...lines: string[]) => screen.show({ lines }),
    frame: (frame: Frame) => screen.show(frame),
    async all() {
      await flush();
      return text(0, display.buffer.active.length);
    },
    /** The lines that have scrolled off the screen. */
    async scrolled() {
      await flush();
      return text(0, display.buffer.active.baseY);
    },
    async cursor() {
      await flush();
      return { row: display.buffer.active.cursorY, column: display.buffer.active.cursorX };
    },
    async resize(columns: number, rows = size.rows) {
      await flush();
      display.resize(columns, rows);
      Object.assign(size, { columns, rows });
      screen.resized();
    },
  };
}

const wide = "这是一个很宽的问题";

test("a frame that grows or shrinks is painted again in its place", async () => {
  const { write, show, all } = screenOf(20, 10);
  write("said\n");
  show("one", "two");
  expect(await all()).toBe("said\none\ntwo");
  show("1", "2", "3", "4");
  expect(await all()).toBe("said\n1\n2\n3\n4");
  show("only");
  expect(await all()).toBe("said\nonly");
});

test("each change is one write between marks, and wipes only what lies below the frame's beginning", () => {
  const { write, show, put, writes } = screenOf(20, 10);
  write("said\n");
  writes.length = 0;
  show("one");
  show("two");
  put("more\n");
  expect(writes).toHaveLength(3);
  for (const text of writes) {
    expect(text.startsWith("\u001b[?2026h")).toBe(true);
    expect(text.endsWith("\u001b[?2026l")).toBe(true);
    for (const wipe of ["2J", "3J"]) expect(text).not.toContain(`\u001b[${wipe}`);
  }
});

test("an equal frame is not written again", () => {
  const { frame, writes } = screenOf(20, 10);
  const caret = { row: 0, column: 2 };
  frame({ lines: ["one"], caret });
  frame({ lines: ["one"], caret: { ...caret } });
  expect(writes).toHaveLength(1);
  frame({ lines: ["one"], caret: { row: 0, column: 3 } });
  expect(writes).toHaveLength(2);
});

test("a frame is painted for a fraction of the work if one line is another", async () => {
  const { show } = screenOf(80, 50);
  const lines = (last: string) => [
    ...Array.from({ length: 40 }, (_, row) => `${row} ${wide.repeat(6)}`),
    last,
  ];
  const first = await counted(() => show(...lines("one")));
  expect(await counted(() => show(...lines("two")))).toBeLessThan(first / 4);
});

test("output is written above the frame", async () => {
  const { show, put, all } = screenOf(20, 10);
  show("one", "two");
  put("said\nmore\n");
  expect(await all()).toBe("said\nmore\none\ntwo");
});

test("at the bottom edge no part of a frame scrolls away, and nothing scrolls twice", async () => {
  const { write, show, put, scrolled, all } = screenOf(20, 5);
  write("a\nb\nc\nd\n");
  for (const step of [1, 2, 3]) show(`one ${step}`, `two ${step}`, `three ${step}`);
  expect(await scrolled()).toBe("a\nb\nc");
  expect(await all()).toBe("a\nb\nc\nd\none 3\ntwo 3\nthree 3");
  put("e\n");
  for (let line = 0; line < 20; line++) put(`said ${line}\n`);
  expect(await scrolled()).not.toMatch(/one|two|three/);
  expect(await all()).toMatch(/^a\nb\nc\nd\ne\nsaid 0\n[\s\S]*said 19\none 3\ntwo 3\nthree 3$/);
});

test("a text longer than the screen is written in full above a frame", async () => {
  const { show, put, all } = screenOf(20, 5);
  show("one");
  const lines = Array.from({ length: 30 }, (_, index) => `said ${index}`);
  put(`${lines.join("\n")}\n`);
  expect(await all()).toBe([...lines, "one"].join("\n"));
});

test("a removed frame leaves nothing behind, and what comes next begins where it was", async () => {
  const { write, show, put, take, all } = screenOf(20, 5);
  write("a\nb\nc\n");
  show("one", "two", "three");
  put("d\n");
  take();
  write("next");
  expect(await all()).toBe("a\nb\nc\nd\nnext");
});

test("the cursor is at the caret, and the frame is found from there", async () => {
  const { write, frame, put, all, cursor } = screenOf(20, 10);
  write("said\n");
  const lines = ["one", "> text", "three"];
  frame({ lines, caret: { row: 1, column: 4 } });
  expect(await cursor()).toEqual({ row: 2, column: 4 });
  put("more\n");
  expect(await cursor()).toEqual({ row: 3, column: 4 });
  frame({ lines: ["one", "> texts"], caret: { row: 1, column: 7 } });
  expect(await all()).toBe("said\nmore\none\n> texts");
  expect(await cursor()).toEqual({ row: 3, column: 7 });
  frame({ lines: ["done"] });
  expect(await all()).toBe("said\nmore\ndone");
});

test("the cursor is hidden unless there is a caret", () => {
  const { frame, writes } = screenOf(20, 10);
  frame({ lines: ["one"] });
  frame({ lines: ["one"], caret: { row: 0, column: 1 } });
  frame({ lines: ["two"] });
  const switched = writes.map((text) => text.match(/\?25[lh]/g)?.at(-1));
  expect(switched).toEqual(["?25l", "?25h", "?25l"]);
});

test.each([
  ["below it", undefined],
  ["at its caret", { row: 1, column: 2 }],
])(
  "nothing of the old frame is left after the terminal is narrowed and widened with the cursor %s",
  async (_where, caret) => {
    const { write, frame, put, resize, all } = screenOf(24, 12);
    const lines = (columns: number) => [
      "─".repeat(columns),
      ">",
      "\u001b[1mWhich of it?\u001b[22m",
      wide,
      "─".repeat(columns),
    ];
    const painted = (columns: number) => stripVTControlCharacters(lines(columns).join("\n"));
    write("said\n");
    frame({ lines: lines(24), ...(caret && { caret }) });
    await resize(13);
    frame({ lines: lines(13).slice(0, 3), ...(caret && { caret }) });
    expect(await all()).toBe(`said\n${painted(13).split("\n").slice(0, 3).join("\n")}`);
    await resize(40);
    frame({ lines: lines(40), ...(caret && { caret }) });
    expect(await all()).toBe(`said\n${painted(40)}`);
    // Twice before it is drawn again, with words in between.
    await resize(16);
    put("more\n");
    await resize(30);
    frame({ lines: lines(30), ...(caret && { caret }) });
    expect(await all()).toBe(`said\nmore\n${painted(30)}`);
  },
);

test("an equal frame is painted again when the size of the terminal changes", async () => {
  const { frame, writes, resize } = screenOf(20, 10);
  frame({ lines: ["one"] });
  await resize(30);
  frame({ lines: ["one"] });
  expect(writes).toHaveLength(2);
});

test("a frame taller than the screen shows what fits, and scrolls no word away", async () => {
  const { write, show, scrolled, all } = screenOf(20, 4);
  write("said\n");
  show("1", "2", "3", "4", "5");
  show("1", "2", "3", "4", "6");
  expect(await scrolled()).toBe("said");
  expect(await all()).toBe("said\n1\n2\n3");
});

test("a frame that scrolled away is left where it is, and the next frame is new", async () => {
  const { write, show, forget, all } = screenOf(20, 10);
  show("one");
  write("$ fg\n");
  forget();
  show("one");
  expect(await all()).toBe("one\n$ fg\none");
});

test("only rows that differ are written, and of a row that grows only what is new", () => {
  const { frame, writes } = screenOf(40, 10);
  const caret = { row: 2, column: 2 };
  frame({ lines: ["first row", "\u001b[2ma thought\u001b[22m", "» "], caret });
  writes.length = 0;
  frame({ lines: ["first row", "\u001b[2ma thought\u001b[22m\u001b[2m goes\u001b[22m", "» "], caret });
  expect(writes).toEqual(["\u001b7\u001b[1A\u001b[10G\u001b[2m goes\u001b[22m\u001b8"]);
});

test("a row of the frame that becomes a line above it stays where it is, with its rest", async () => {
  const { show, put, writes, screen, all } = screenOf(40, 10);
  show("a paragraph that gr", "» ");
  writes.length = 0;
  screen.show({ lines: ["and on", "» "] }, "a paragraph that grows\n");
  expect(writes.join("")).not.toContain("a paragraph");
  put("said\n");
  expect(await all()).toBe("a paragraph that grows\nsaid\nand on\n»");
});

test("no frame erases from the first cell of the screen to its end, which tmux would keep as a copy", async () => {
  const { show, put, take, writes, resize } = screenOf(20, 5);
  show("one", "two", "three");
  show("one");
  put("a line that is longer than the twenty columns\n");
  await resize(30);
  show("two");
  take();
  for (const text of writes) for (const start of ["\r", "A"]) expect(text).not.toContain(`${start}\u001b[J`);
});

test("a tall frame has the second screen, so that a narrower window keeps nothing of it, and what is written meanwhile stands behind it", async () => {
  const { put, alone, show, all, resize, isAlone } = screenOf(20, 6);
  put("said\n");
  alone("a question of some", "words, and a second", "row", "end");
  const tall = "a question of some\nwords, and a second\nrow\nend";
  // The last lines stand above it where there is room.
  expect(await all()).toBe(`said\n${tall}`);
  put("meanwhile\n");
  await resize(10);
  alone("a question", "of some", "words", "and more", "rows");
  await resize(20);
  alone("a question of some", "words, and a second", "row", "end");
  expect(await all()).toBe(`meanwhile\n${tall}`);
  expect(isAlone()).toBe(true);
  show("prompt");
  put("after\n");
  expect(await all()).toBe("said\nmeanwhile\nafter\nprompt");
});

test("a low frame, and a tall one that may not stand alone, stay below the text on the first screen", () => {
  const { alone, show, isAlone } = screenOf(20, 6);
  alone("one", "two");
  expect(isAlone()).toBe(false);
  show("1", "2", "3", "4", "5");
  expect(isAlone()).toBe(false);
});

test("more text than is held while a frame stands alone is written at once, and is there once", async () => {
  const { put, alone, show, scrolled, isAlone } = screenOf(80, 4);
  alone("1", "2", "3");
  const lines = Array.from({ length: 90 }, (_, index) => `line ${index} ${"\u001b[m".repeat(10_000)}`);
  for (const line of lines) put(`${line}\n`);
  expect(isAlone()).toBe(true);
  show("prompt");
  expect((await scrolled()).match(/line \d+/g)).toEqual(
    lines.slice(0, -2).map((line) => line.trim().split(" \u001b")[0]),
  );
});
