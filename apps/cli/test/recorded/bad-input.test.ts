import { expect, test } from "vitest";
import { key } from "../panel/at-panel.js";
import { conversing } from "./conversing.js";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`);
const wordsOf = (text: string) => text.match(/word\d+/g);
/** Lets the place draw what came in this tick. */
const drawn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a table of 200 columns that streams into a window of 40 has each of its words once", async () => {
  const { says, transcript, screen, lines } = conversing(40);
  void lines.next("> ", undefined, { below: true });
  const words = numbered(60);
  const row = (from: number) =>
    `| ${words
      .slice(from, from + 12)
      .map((word) => `${word} and so on`)
      .join(" | ")} |\n`;
  for (const part of [row(0), `${"| --- ".repeat(12)}|\n`, row(12), row(24), row(36), row(48), "\n"]) {
    for (const piece of part.match(/.{1,7}/gs) ?? []) says(piece);
    await drawn();
  }
  transcript.freshLine();
  await expect.poll(screen).toContain("word59");
  // A row names its cells by the words above them.
  const shown: readonly string[] = wordsOf(await screen()) ?? [];
  expect(words.filter((word) => !shown.includes(word))).toEqual([]);
  const cells = words.slice(12);
  expect(shown.filter((word) => cells.includes(word))).toEqual(cells);
});

test("a window that gets another size with every word that streams has each word once and in order", async () => {
  const { says, transcript, screen, resize, lines } = conversing(80);
  void lines.next("> ", undefined, { below: true });
  const words = numbered(300);
  for (const [at, word] of words.entries()) {
    says(`${word} `);
    resize([80, 60, 40, 50][at % 4] as number, [24, 20][at % 2] as number);
    await drawn();
  }
  says("\n\nThe end.");
  transcript.freshLine();
  await expect.poll(screen).toContain("The end.");
  expect(wordsOf(await screen())).toEqual(words);
});

test("escape sequences that an agent streams in pieces are visible text, and none is obeyed", async () => {
  const { says, transcript, screen, lines } = conversing(80);
  void lines.next("> ", undefined, { below: true });
  for (const piece of [
    "word0 \u001b",
    "[2J\u001b]0;",
    "owned\u0007 word1\u009b",
    "3",
    "1m word2\r\b\u001b[?1049h word3\n",
  ]) {
    says(piece);
    await drawn();
  }
  transcript.freshLine();
  await expect.poll(screen).toContain("word3");
  const shown = await screen();
  expect(wordsOf(shown)).toEqual(numbered(4));
  expect(shown).toContain("\\u{1b}[2J\\u{1b}]0;owned\\u{7}");
});

test("a draft of 10,000 lines is shown around the cursor, a key in it costs a row, and it is sent whole", async () => {
  const terminal = conversing(80);
  const { type, sees, lines } = terminal;
  const line = lines.next("> ", undefined, { below: true });
  const pasted = numbered(10_000).join("\n");
  type(key.paste(pasted));
  await sees(/> \[10000\]$/);
  type(key.ctrl("t"));
  await sees(/word9999$/);
  const before = terminal.sent.length;
  type("!");
  await sees(/word9999!$/);
  expect(terminal.sent.length - before).toBeLessThan(200);
  type("\r");
  expect(await line).toBe(`${pasted}!`);
});
