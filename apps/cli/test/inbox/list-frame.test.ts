import { terminalWords } from "@askwire/client/words";
import type { HeardRequest } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { widthOf } from "../../src/device/fitted-text.js";
import { paintFor } from "../../src/device/paint.js";
import { cursorIn, moved, noCursor } from "../../src/inbox/list-cursor.js";
import { listFrame } from "../../src/inbox/list-frame.js";
import type { InboxRow } from "../../src/inbox/waiting.js";

const now = Date.parse("2026-11-28T10:00:00.000Z");
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const place = {
  key: "p",
  name: "mill",
  open: () => Promise.reject(new Error("unused")),
  reach: () => Promise.reject(new Error("unused")),
  claim: () => Promise.reject(new Error("unused")),
};

const row = (n: number, more: Partial<HeardRequest> = {}): InboxRow => ({
  place,
  request: {
    request_id: `r-${n}`,
    kind: "question",
    text: `Question ${n}?`,
    since: minutesAgo(3),
    state: "open",
    session_id: "s-1",
    program: "builder",
    ...more,
  },
});

const plain = paintFor({}, {});
const words = terminalWords.en.inbox;

function frame(rows: readonly InboxRow[], size: { columns: number; rows: number }, more = {}) {
  const content = { rows, all: rows.length, current: 0, top: 0, places: [], isWhole: true, now, ...more };
  return listFrame(content, { ...size, words, paint: plain });
}

describe("the list of the inbox", () => {
  test("a line says who asks, what, since when, and how long there is still time", () => {
    const deadline = new Date(now + 45_000).toISOString();
    const { lines } = frame([row(1, { deadline }), row(2, { kind: "approval", program: "deployer" })], {
      columns: 90,
      rows: 20,
    });
    expect(lines).toEqual([
      "Waiting for you (2) · 0 servers",
      "❯ ? builder              Question 1?                                     45 s left · 3 min",
      "  ! deployer             Question 2?                                                 3 min",
      "Enter open · ↑↓ move · q quit · t take",
    ]);
  });

  test("a list that has only the first of all that waits says how many of how many", () => {
    const { lines } = frame([row(1), row(2)], { columns: 60, rows: 20 }, { all: 3_214 });
    expect(lines[0]).toBe("Waiting for you (2 of 3,214) · 0 servers");
    const chinese = terminalWords.zh.inbox;
    expect(chinese.some(50, 3_214)).toBe("50 / 3,214");
    expect(words.counted(3_214, 1_000)).toBe("3,214 wait for you, the first 1,000 are listed:");
    expect(words.counted(2, 2)).toBe("2 wait for you:");
  });

  test("500 requests in a window of 40 columns fit it, a line each, and say how many more there are", () => {
    const rows = Array.from({ length: 500 }, (_, n) =>
      row(n, { text: `Shall I ${"really ".repeat(20)}do ${n} in 苹果 and 🍎? `.repeat(30) }),
    );
    for (const current of [0, 250, 499]) {
      const { lines, top } = frame(rows, { columns: 40, rows: 24 }, { current });
      expect(lines.length).toBeLessThan(24);
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(40);
      expect(lines.filter((line) => line.startsWith("❯"))).toHaveLength(1);
      const [above = "0", below = "0"] = ["↑", "↓"].map((arrow) =>
        lines.find((line) => line.startsWith(arrow))?.replace(/\D/g, ""),
      );
      const shown = lines.filter((line) => /^(?:❯| ) \?/.test(line)).length;
      expect(Number(above) + shown + Number(below)).toBe(500);
      expect(top).toBe(Number(above));
    }
  });

  test.each([1, 2, 3, 5, 8])(
    "a window of %i rows has a frame below its height, with the cursor's line",
    (rows) => {
      const { lines } = frame(
        Array.from({ length: 20 }, (_, n) => row(n)),
        { columns: 40, rows },
        { current: 7 },
      );
      expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
      expect(lines.join("\n")).toContain("❯");
    },
  );

  test("what a foreign program is called ends no line and moves no cursor", () => {
    const { lines } = frame([row(1, { program: "a\u001b[2Jb\nc", text: "x\u001b]0;y\u0007\nz" })], {
      columns: 60,
      rows: 10,
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f]/);
  });

  test("an empty list says that nothing waits, once all servers have been asked", () => {
    const size = { columns: 60, rows: 10 };
    expect(frame([], size, { isWhole: false }).lines).toContain("Looking for what waits…");
    expect(frame([], size).lines).toContain("Nothing waits for you.");
  });

  test("a server that is away has a line with the reason", () => {
    const places = [{ name: "mill", state: "away", waiting: 0, why: "could not connect" }];
    expect(frame([], { columns: 60, rows: 10 }, { places }).lines).toContain(
      "mill is away: could not connect",
    );
  });
});

describe("the cursor of the list", () => {
  const rows = [row(1), row(2), row(3)];

  test("the cursor stays on its request while others come and go", () => {
    const on = moved(rows, noCursor, 1);
    expect(cursorIn([row(0), ...rows], on).index).toBe(2);
    expect(cursorIn(rows.slice(1), on).index).toBe(0);
  });

  test("the cursor moves on to what has taken the place of a request that is gone, and no further than the ends", () => {
    const on = moved(rows, noCursor, 2);
    expect(cursorIn(rows.slice(0, 2), on)).toMatchObject({ index: 1, key: "s-1 r-2" });
    expect(moved(rows, on, 5).index).toBe(2);
    expect(moved(rows, on, -9).index).toBe(0);
    expect(cursorIn([], on).index).toBe(0);
  });
});
