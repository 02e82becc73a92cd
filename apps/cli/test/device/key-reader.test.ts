import type { FormKey } from "@askwire/client/form";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createKeyReader } from "../../src/device/key-reader.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ESC = "\u001b";

/** The keys read from these chunks, sent right after each other; `after` gives later keys. */
function reading(...chunks: (string | Buffer)[]) {
  const keys: FormKey[] = [];
  const reader = createKeyReader((key) => void keys.push(key));
  for (const chunk of chunks) reader.push(Buffer.from(chunk as string));
  return {
    keys,
    reader,
    after(ms: number) {
      vi.advanceTimersByTime(ms);
      return keys;
    },
  };
}

const texts = (...all: string[]) => all.map((text) => ({ text }));

describe("a key", () => {
  test.each<[string, string, FormKey]>([
    ["up", `${ESC}[A`, { key: "up" }],
    ["down in application cursor mode", `${ESC}OB`, { key: "down" }],
    ["Ctrl-P", "\u0010", { key: "up" }],
    ["Ctrl-N", "\u000e", { key: "down" }],
    ["left", `${ESC}[D`, { key: "left" }],
    ["Ctrl-right", `${ESC}[1;5C`, { key: "word_right" }],
    ["Alt-left", `${ESC}[1;3D`, { key: "word_left" }],
    ["Alt-left of a terminal that sends Escape before", `${ESC}${ESC}[D`, { key: "word_left" }],
    ["Alt-b", `${ESC}b`, { key: "word_left" }],
    ["Home", `${ESC}[H`, { key: "home" }],
    ["Home of the Linux console", `${ESC}[1~`, { key: "home" }],
    ["Ctrl-A", "\u0001", { key: "home" }],
    ["End", `${ESC}OF`, { key: "end" }],
    ["PgUp", `${ESC}[5~`, { key: "page_up" }],
    ["PgDn", `${ESC}[6~`, { key: "page_down" }],
    ["Tab", "\t", { key: "tab" }],
    ["Shift-Tab", `${ESC}[Z`, { key: "back_tab" }],
    ["Enter", "\r", { key: "enter" }],
    ["Ctrl-J", "\n", { key: "new_line" }],
    ["Enter of the numeric keypad", `${ESC}OM`, { key: "enter" }],
    ["7 of the numeric keypad", `${ESC}Ow`, { text: "7" }],
    ["- of the numeric keypad", `${ESC}Om`, { text: "-" }],
    ["Backspace", "\u007f", { key: "backspace" }],
    ["Ctrl-H", "\b", { key: "backspace" }],
    ["Delete", `${ESC}[3~`, { key: "delete" }],
    ["Ctrl-W", "\u0017", { key: "delete_word" }],
    ["Alt-Backspace", `${ESC}\u007f`, { key: "delete_word" }],
    ["Ctrl-U", "\u0015", { key: "delete_to_start" }],
    ["Ctrl-K", "\u000b", { key: "delete_to_end" }],
    ["Ctrl-E", "\u0005", { key: "read" }],
    ["Ctrl-C", "\u0003", { key: "interrupt" }],
    ["Ctrl-D", "\u0004", { key: "end_of_input" }],
    ["the space bar", " ", { text: " " }],
    ["a capital letter", "A", { text: "A" }],
    ["a character beyond the first plane", "🎉", { text: "🎉" }],
  ])("the key %s is read, in one chunk and byte by byte", (_name, sequence, key) => {
    expect(reading(sequence).keys).toEqual([key]);
    expect(reading(...[...Buffer.from(sequence)].map((byte) => Buffer.of(byte))).keys).toEqual([key]);
  });
});

describe("sequences that are no keys", () => {
  test.each([
    ["a mouse report", `${ESC}[<0;10;12M`],
    ["an old mouse report", `${ESC}[M !!`],
    ["a focus report", `${ESC}[I${ESC}[O`],
    ["the terminal's attributes", `${ESC}[?62;1;2c`],
    ["a report of the cursor's place", `${ESC}[12;40R`],
    ["a colour of the terminal", `${ESC}]11;rgb:1e1e/1e1e/1e1e${ESC}\\`],
    ["its name", `${ESC}P>|term 1.0${ESC}\\`],
    ["a title", `${ESC}]l1\u0007`],
    ["a key with two digits of modifiers", `${ESC}[1;10A`],
    ["F1", `${ESC}OP`],
    ["F1 of the Linux console", `${ESC}[[A`],
    ["Alt-x", `${ESC}x`],
    ["Ctrl-Z", "\u001a"],
    ["an 8-bit control character", "\u009b"],
  ])("%s produces no key, and what is typed next counts", (_name, sequence) => {
    expect(reading(sequence, "\r").keys).toEqual([{ key: "enter" }]);
  });

  test("a sequence that stops in the middle produces no key once nothing follows it", () => {
    const { reader, after, keys } = reading(`${ESC}[1;`);
    expect(after(500)).toEqual([]);
    reader.push(Buffer.from("1"));
    expect(keys).toEqual([{ text: "1" }]);
  });

  test("a sequence that Ctrl-C cuts off produces no key, and Ctrl-C counts", () => {
    expect(reading(`${ESC}[1;`, "\u0003").keys).toEqual([{ key: "interrupt" }]);
    expect(reading(`${ESC}]0;`, "\u0003").keys).toEqual([{ key: "interrupt" }]);
  });
});

test("an Escape counts after half a second without another key", () => {
  const { after, keys } = reading(ESC);
  after(499);
  expect(keys).toEqual([]);
  expect(after(1)).toEqual([{ key: "escape" }]);
});

test.each([50, 150, 499, 501, 900, 2_000])(
  "an arrow key whose rest comes %i ms after its Escape is that key, and never words",
  (ms) => {
    for (const [rest, key] of [
      ["[B", "down"],
      ["[D", "left"],
      ["OA", "up"],
      ["[1;5C", "word_right"],
    ]) {
      const { reader, after, keys } = reading(ESC);
      after(ms);
      reader.push(Buffer.from(rest as string));
      expect(keys.at(-1)).toEqual({ key });
      expect(keys).toHaveLength(ms < 500 ? 1 : 2);
    }
  },
);

test("text typed right after an Escape, before that counts, is typed, and the Escape decides nothing", () => {
  const { reader, after, keys } = reading(ESC);
  after(200);
  reader.push(Buffer.from("x"));
  after(5_000);
  expect(keys).toEqual([{ text: "x" }]);
});

test("words that begin like the rest of a key are words when they come letter by letter, or without an Escape before", () => {
  const typed = reading(ESC);
  typed.after(600);
  for (const letter of "OK") typed.reader.push(Buffer.from(letter));
  expect(typed.keys.slice(1)).toEqual(texts("O", "K"));
  expect(reading("[B").keys).toEqual(texts("[", "B"));
  const later = reading(ESC);
  later.after(3_000);
  later.reader.push(Buffer.from("[B"));
  expect(later.keys.slice(1)).toEqual(texts("[", "B"));
});

test("two keys at once are two keys, and a key before a paste is one key", () => {
  expect(reading(ESC + ESC).after(500)).toEqual([{ key: "escape" }, { key: "escape" }]);
  expect(reading(`${ESC}${ESC}[200~a${ESC}[201~`).keys).toEqual([{ key: "escape" }, { paste: "a" }]);
});

test("several characters in one chunk come one by one, even where a chunk cuts one", () => {
  const bytes = Buffer.from("né数🎉1");
  for (let cut = 0; cut <= bytes.length; cut++)
    expect(reading(bytes.subarray(0, cut), bytes.subarray(cut)).keys).toEqual(
      texts("n", "é", "数", "🎉", "1"),
    );
});

describe("a paste", () => {
  const paste = (text: string) => `${ESC}[200~${text}${ESC}[201~`;

  test("a paste is one key with its line feeds, and no key inside it counts", () => {
    const { keys } = reading(`a${paste(`one\r\ntwo\rthree\u0003${ESC}[A${ESC}[`)}\r`);
    const pasted = { paste: `one\ntwo\nthree\u0003${ESC}[A${ESC}[` };
    expect(keys).toEqual([{ text: "a" }, pasted, { key: "enter" }]);
  });

  test("a paste without an end is delivered after two seconds of silence, or when the reader is closed", () => {
    const { reader, after } = reading(`${ESC}[200~one`);
    after(400);
    reader.push(Buffer.from(" two"));
    expect(after(1_999)).toEqual([]);
    expect(after(1)).toEqual([{ paste: "one two" }]);
    const closed = reading(`${ESC}[200~one`);
    closed.reader.close();
    expect(closed.keys).toEqual([{ paste: "one" }]);
  });

  test("a paste holds at most 1 MiB: the rest is dropped, and what follows counts", () => {
    const half = "x".repeat(700_000);
    const { keys } = reading(`${ESC}[200~${half}`, half, `${ESC}[201~`, "y");
    expect(keys).toEqual([{ paste: "x".repeat(1024 * 1024) }, { text: "y" }]);
  });

  test("an empty paste is no key", () => expect(reading(paste("")).keys).toEqual([]));
});

const piece = fc.oneof(
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      ESC,
      `${ESC}[`,
      `${ESC}O`,
      `${ESC}]`,
      `${ESC}[200~`,
      `${ESC}[201~`,
      `${ESC}[<0;1`,
      "\u0007",
      "é",
      "🎉",
    )
    .map((text) => Buffer.from(text)),
);

test("any bytes give the same keys however they are cut", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat({ max: 6 }), { minLength: 1 }),
      (pieces, steps) => {
        const bytes = Buffer.concat(pieces);
        const whole = reading(bytes);
        whole.reader.close();
        const cut: Buffer[] = [];
        for (let from = 0, step = 0; from < bytes.length; step++) {
          const size = 1 + (steps[step % steps.length] ?? 0);
          cut.push(bytes.subarray(from, from + size));
          from += size;
        }
        const parts = reading(...cut);
        parts.reader.close();
        expect(parts.keys).toEqual(whole.keys);
      },
    ),
    { numRuns: 1_000 },
  );
});
