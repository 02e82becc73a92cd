import { describe, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { key } from "../panel/at-panel.js";
import { inTurnOf } from "../panel/in-turn.js";
import { hasScreen, hasTmux, inScreen, inTmux, inXterm } from "./recorders.js";

/** Words that are each there once, from one number up to another. */
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `word${from + index}`);

/** The numbered words of a text, in its order. */
const wordsOf = (text: string) => text.match(/\bword\d+\b/g) ?? [];

const times = (text: string, part: string) => text.split(part).length - 1;

const widths = [20, 30, 40, 80, 200];
const named = (name: string, isThere: boolean) =>
  isThere ? name : `${name} (NOT RUN: this machine has none)`;
const recorders = [
  { name: "xterm.js", open: inXterm, isThere: true, widths },
  { name: named("tmux", hasTmux), open: inTmux, isThere: hasTmux, widths },
  { name: named("GNU screen", hasScreen), open: inScreen, isThere: hasScreen, widths: [80] },
];

describe.each(recorders)("the whole scrollback of $name", ({ open, isThere, widths }) => {
  const record = async (columns: number) => inTurnOf(open, { columns, cwd: await folderWith() });

  test.runIf(isThere).each(widths)(
    "the whole scrollback at %i columns has each word of a streamed paragraph once and in order",
    async (columns) => {
      const { terminal, says } = await record(columns);
      const words = numbered(0, 400);
      says(`${words[0]} `);
      await terminal.has("word0");
      const before = terminal.bytes;
      for (const word of words.slice(1)) says(`${word} `);
      says("\nThe end.\n");
      await terminal.has("The end.");
      expect(wordsOf(terminal.whole())).toEqual(words);
      if (before === undefined || columns !== 80) return;
      expect((terminal.bytes ?? 0) - before).toBeLessThan(3 * words.join(" ").length);
    },
  );

  test.runIf(isThere).each(widths)(
    "the whole scrollback at %i columns has one panel however often a person moves in it, and each word around it once",
    async (columns) => {
      const { terminal, says, asks, received } = await record(columns);
      const words = numbered(0, 60);
      const options = Array.from({ length: 25 }, (_, index) => ({ label: `Place ${index + 1}.` }));
      says(`${words.slice(0, 30).join("\n")}\n`);
      asks({ question: "Where to?", options });
      await terminal.has(/Enter choose/);
      const before = terminal.bytes;
      for (let at = 2; at <= 11; at += 1) {
        terminal.type(key.down);
        await terminal.has(new RegExp(`[❯o] +${at}\\. `));
      }
      if (before !== undefined) expect((terminal.bytes ?? 0) - before).toBeLessThan(10 * 400);
      says(`${words.slice(30, 45).join("\n")}\n`);
      terminal.type(key.enter);
      expect(await received("r")).toMatchObject({ result: { answers: { "Where to?": "Place 11." } } });
      says(`${words.slice(45).join("\n")}\n`);
      await terminal.has("word59");
      expect(wordsOf(terminal.whole())).toEqual(words);
      expect(times(terminal.whole(), "Where to?")).toBe(1);
    },
  );

  test.runIf(isThere && widths.length > 1).each(widths)(
    "the whole scrollback of a window that begins at %i columns and is resized while text streams has each word once",
    async (columns) => {
      const { terminal, says } = await record(columns);
      const words = numbered(0, 400);
      // A window is made narrower by half at most: what fits then has to be known before.
      const order =
        columns < 40
          ? [20, 30, 40, 20]
          : [40, 80, 200, 40, 80, 200].slice([40, 80, 200].indexOf(columns) + 1);
      for (let at = 0; at < words.length; at += 100) {
        const piece = words.slice(at, at + 100);
        for (const word of piece) says(`${word} `);
        await terminal.has(piece.at(-1) ?? "");
        terminal.resize(order[at / 100] ?? 80);
      }
      says("\nThe end.\n");
      await terminal.has("The end.");
      expect(wordsOf(terminal.whole())).toEqual(words);
    },
  );

  test.runIf(isThere && widths.length > 1).each([40, 80, 200])(
    "the whole scrollback of a window that begins at %i columns has nothing of a tall approval that is resized, and each word around it once",
    async (columns) => {
      const { terminal, says, approves, received } = await record(columns);
      const words = numbered(0, 60);
      const command = Array.from({ length: 16 }, (_, at) => `echo ${`part${at} `.repeat(8)}`).join("\n");
      says(`${words.slice(0, 30).join("\n")}\n`);
      await terminal.has("word29");
      approves(command);
      await terminal.has(/decline/);
      const sizes = [
        { width: 40, rows: 24, shows: /part0\npart0 part0/ },
        { width: 40, rows: 12, shows: /run a command\necho/ },
        { width: 200, rows: 24, shows: /put aside$/m },
        { width: 80, rows: 24, shows: /Ctrl-T note$/m },
      ];
      for (const { width, rows, shows } of sizes) {
        terminal.resize(width, rows);
        await terminal.has(shows);
      }
      says(`${words.slice(30, 45).join("\n")}\n`);
      terminal.type("n");
      await terminal.has(/❯ 3\./);
      terminal.type(key.enter);
      expect(await received("a")).toMatchObject({ result: { response: "reject" } });
      says(`${words.slice(45).join("\n")}\n`);
      await terminal.has("word59");
      expect(wordsOf(terminal.whole())).toEqual(words);
      // The row of the decision has the command.
      expect(times(terminal.whole(), "part15")).toBe(8);
      expect(terminal.whole()).not.toMatch(/asks to run|Approve \(y\)/);
    },
  );

  test.runIf(isThere).each(widths)(
    "the whole scrollback at %i columns has a long paste as one short text, which is sent whole",
    async (columns) => {
      const { terminal, says, ends, received } = await record(columns);
      says("word0\n");
      ends();
      await terminal.has(/^>$/m);
      const pasted = numbered(1, 121).join("\n");
      terminal.type(`look ${key.paste(pasted)}`);
      // A short text that is wider than the prompt has room is one sign.
      const shown = columns < 22 ? /^> look …$/m : /^> look\s+\[120 lines pasted\]$/m;
      await terminal.has(shown);
      terminal.type(" now\r");
      expect((await received("prompt")).params.user_input).toBe(`look ${pasted} now`);
      says("word121\n");
      await terminal.has("word121");
      expect(wordsOf(terminal.whole())).toEqual(["word0", "word121"]);
      expect(times(terminal.whole().replace(/\s+/g, " "), "120 lines pasted")).toBe(1);
    },
  );
});
