import { expect, test } from "vitest";
import { createStopKey } from "../../src/device/stop-key.js";

const PASTE_BEGIN = "\u001b[200~";
const PASTE_END = "\u001b[201~";

/** The cut text of chunks at these times, with a stop as "stop". */
function cut(...chunks: [text: string, at: number][]): string[] {
  let time = 0;
  const stopKey = createStopKey(() => time);
  return chunks.flatMap(([text, at]) => {
    time = at;
    return stopKey(Buffer.from(text)).map((part) => part?.toString() ?? "stop");
  });
}

test("typed text is cut at each Ctrl-Z", () => {
  expect(cut(["a\u001ab\u001a\u001a", 0], ["c", 1])).toEqual(["a", "stop", "b", "stop", "stop", "c"]);
});

test("a Ctrl-Z in a paste is pasted, even where a chunk cuts the paste or its marks", () => {
  const paste = `${PASTE_BEGIN}a\u001ab${PASTE_END}`;
  expect(cut([`${paste}\u001a`, 0])).toEqual([paste, "stop"]);
  for (let at = 1; at < paste.length; at++) {
    const parts = cut([paste.slice(0, at), 0], [paste.slice(at), 1], ["\u001a", 2]);
    expect(parts).toEqual([paste.slice(0, at), paste.slice(at), "stop"]);
  }
});

test("a paste whose end never came does not keep Ctrl-Z from stopping the job", () => {
  expect(cut([`${PASTE_BEGIN}a`, 0], ["\u001a", 1_999])).toEqual([`${PASTE_BEGIN}a`, "\u001a"]);
  expect(cut([`${PASTE_BEGIN}a`, 0], ["\u001a", 2_001])).toEqual([`${PASTE_BEGIN}a`, "stop"]);
});
