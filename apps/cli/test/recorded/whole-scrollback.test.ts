import { describe, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { key } from "../panel/at-panel.js";
import { inTurnOf } from "../panel/in-turn.js";
import { hasTmux, inTmux, inXterm } from "./recorders.js";

/** Words that are each there once, from one number up to another. */
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `word${from + index}`);

/** The numbered words of a text, in its order. */
const wordsOf = (text: string) => text.match(/\bword\d+\b/g) ?? [];

const times = (text: string, part: string) => text.split(part).length - 1;

const recorders = [
  { name: "xterm.js", open: inXterm, isThere: true },
  { name: hasTmux ? "tmux" : "tmux (NOT RUN: this machine has none)", open: inTmux, isThere: hasTmux },
];
const widths = [40, 80, 200];

describe.each(recorders)("the whole scrollback of $name", ({ open, isThere }) => {
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
      await terminal.has("Esc decline");
      const before = terminal.bytes;
      for (let at = 2; at <= 11; at += 1) {
        terminal.type(key.down);
        await terminal.has(new RegExp(`❯ +${at}\\. `));
      }
      if (before !== undefined) expect((terminal.bytes ?? 0) - before).toBeLessThan(10 * 400);
      says(`${words.slice(30, 45).join("\n")}\n`);
      await terminal.has("word44");
      expect(times(terminal.whole(), "Where to?")).toBe(1);
      terminal.type(key.enter);
      expect(await received("r")).toMatchObject({ result: { answers: { "Where to?": "Place 11." } } });
      says(`${words.slice(45).join("\n")}\n`);
      await terminal.has("word59");
      expect(wordsOf(terminal.whole())).toEqual(words);
      expect(times(terminal.whole(), "Where to?")).toBe(1);
    },
  );

  test.runIf(isThere).each(widths)(
    "the whole scrollback of a window that begins at %i columns and is resized while text streams has each word once",
    async (columns) => {
      const { terminal, says } = await record(columns);
      const words = numbered(0, 400);
      const order = [...widths, ...widths].slice(widths.indexOf(columns) + 1);
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

  test.runIf(isThere).each(widths)(
    "the whole scrollback at %i columns has a long paste as one short text, which is sent whole",
    async (columns) => {
      const { terminal, says, ends, received } = await record(columns);
      says("word0\n");
      ends();
      await terminal.has(/^>$/m);
      const pasted = numbered(1, 121).join("\n");
      terminal.type(`look ${key.paste(pasted)}`);
      await terminal.has(/^> look \[120 lines pasted\]$/m);
      terminal.type(" now\r");
      expect((await received("prompt")).params.user_input).toBe(`look ${pasted} now`);
      says("word121\n");
      await terminal.has("word121");
      expect(wordsOf(terminal.whole())).toEqual(["word0", "word121"]);
      expect(times(terminal.whole(), "120 lines pasted")).toBe(1);
    },
  );
});
