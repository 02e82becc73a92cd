import { expect, test } from "vitest";
import { conversing } from "./conversing.js";

const MEGABYTE = 1_000_000;

test.each([
  ["lines", "\n", 80],
  ["one paragraph", " ", 200],
])(
  "1 MB of %s that comes at once is on the screen and above it, each word once, and a key is shown meanwhile",
  async (_name, between, columns) => {
    const { says, transcript, type, lines, screen, sees } = conversing(columns);
    void lines.next("> ", undefined, { below: true });
    const words: string[] = [];
    for (let units = 0; units < MEGABYTE && words.length < 15_000; ) {
      const word = `word${words.length}-${"x".repeat(60)}`;
      words.push(word);
      units += word.length;
    }
    for (const [at, word] of words.entries()) {
      says(word + between);
      if (at % 1_000 !== 0) continue;
      if (at === 5_000) type("typed");
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    transcript.prompting(false);
    await sees(/> typed$/);
    // A word that is longer than a row goes on in the next one.
    const shown = (await screen()).replace(/\n(?=x)/g, "");
    expect(shown.match(/word\d+/g)).toEqual(words.map((word) => word.split("-")[0]));
    expect(shown.match(/x/g)).toHaveLength(words.length * 60);
  },
);
