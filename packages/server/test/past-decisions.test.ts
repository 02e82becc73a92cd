import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ListedDecision } from "@askwire/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DecisionQuery, decisionsIn, sessionFolder } from "../src/index.js";
import { readDecisions } from "../src/internal.js";
import type { DiskFile } from "../src/journal/disk.js";
import { CountedFile, linesBefore } from "../src/journal/lines-before.js";
import { DecisionReads } from "../src/server/decision-reads.js";
import { temporaryFolder } from "./journal-folder.js";
import { WORK_DIR } from "./stores.js";

const line = (seconds: number, type: string, payload: object) =>
  `{"timestamp": ${seconds}, "message": {"type": "${type}", "payload": ${JSON.stringify(payload)}}}\n`;

const opened = (id: string, at: number, words = `Question ${id}?`) =>
  line(at, "InteractionOpened", {
    ...{ request_id: id, kind: "question", request: { id, tool_call_id: "" } },
    questions: [{ question: words }],
  });

const settled = (id: string, at: number, answer = "Yes") =>
  line(at, "InteractionSettled", {
    ...{ request_id: id, kind: "question" },
    outcome: { status: "answered", by: "human", at: new Date(at * 1000).toISOString() },
    response: { answers: { "It?": answer }, items: [] },
  });

const words = (at: number, length: number) =>
  line(at, "ContentPart", { type: "text", text: "x".repeat(length) });

/** Writes the journal of a session, last written at the time of its last line, and gives its path. */
function journal(share: string, id: string, text: string, seconds: number): string {
  const file = join(sessionFolder({ share, workDir: WORK_DIR, id }), "wire.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `{"type":"metadata","protocol_version":"1.10"}\n${text}`);
  utimesSync(file, seconds, seconds);
  return file;
}

/** All pages of a choice, one after the other. */
async function pagesOf(
  share: string,
  query: DecisionQuery,
  seen: (rows: readonly ListedDecision[]) => void = () => {},
) {
  const find = decisionsIn({ share, workDir: WORK_DIR });
  const rows: ListedDecision[] = [];
  for (let after: string | undefined, pages = 0; pages < 10_000; pages += 1) {
    const page = await find(
      { ...query, ...(after !== undefined && { after }) },
      new AbortController().signal,
    );
    seen(page.decisions);
    rows.push(...page.decisions);
    if (page.next === undefined) return rows;
    after = page.next;
  }
  throw new Error("the pages have no end");
}

test("the pages of journals leave a decision out, tell one twice or out of order, or tell it otherwise than the audit", async () => {
  const step = fc.record({
    session: fc.integer({ min: 0, max: 4 }),
    seconds: fc.integer({ min: 0, max: 3 }),
    what: fc.constantFrom("asks", "settles", "talks", "talks long"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 60, size: "max" }),
      fc.integer({ min: 1, max: 7 }),
      async (steps, limit) => {
        const share = temporaryFolder();
        const sessions = new Map<number, { text: string; open: string[]; at: number }>();
        let now = 1_000;
        for (const [n, { session, seconds, what }] of steps.entries()) {
          now += seconds;
          const one = sessions.get(session) ?? { text: "", open: [], at: 0 };
          if (what === "asks") one.open.push(`r${n}`);
          const id = what === "settles" ? one.open.shift() : undefined;
          if (what === "asks") one.text += opened(`r${n}`, now);
          else if (id !== undefined) one.text += settled(id, now);
          else one.text += words(now, what === "talks" ? 10 : 200_000);
          sessions.set(session, { ...one, at: now });
        }
        const expected: unknown[] = [];
        for (const [id, { text, at }] of sessions) {
          const file = journal(share, `s${id}`, text, at);
          for await (const { at, askedAt, requestId, outcome } of readDecisions(file))
            if (outcome !== undefined) expected.push([at, `s${id}`, askedAt, requestId]);
        }
        const rows = await pagesOf(share, { limit });
        const told = rows.map(({ at, asked_at, session_id, request_id, asked }) => {
          expect(asked).toBe(`Question ${request_id}?`);
          return [Date.parse(at), session_id, Date.parse(asked_at ?? ""), request_id];
        });
        const times = told.map(([at]) => at);
        expect(times).toEqual([...times].sort((one, other) => Number(other) - Number(one)));
        expect(told.map(String).sort()).toEqual(expected.map(String).sort());
      },
    ),
    { numRuns: 60 },
  );
});

/** The journals of sessions whose clocks went back, and the decisions in them, by session and request. */
function journalsOf(steps: readonly { session: number; seconds: number; length: number }[]) {
  const share = temporaryFolder();
  const sessions = new Map<number, { text: string; at: number }>();
  const expected: string[] = [];
  let now = 1_000_000;
  for (const [n, { session, seconds, length }] of steps.entries()) {
    now += seconds;
    const { text } = sessions.get(session) ?? { text: "" };
    const added = opened(`r${n}`, now) + (length > 0 ? words(now, length) : "") + settled(`r${n}`, now);
    sessions.set(session, { text: text + added, at: now });
    expected.push(`s${session} r${n}`);
  }
  for (const [id, { text, at }] of sessions) journal(share, `s${id}`, text, at);
  return { share, expected };
}

test.each([
  // Far, in journals of a block.
  ["far", { min: -500, max: 500 }, 0],
  // A little, in journals that are searched.
  ["by seconds", { min: -1, max: 3 }, 50_000],
])("a decision is told twice or never once the clock went back %s", async (_, seconds, length) => {
  const step = fc.record({
    session: fc.integer({ min: 0, max: 2 }),
    seconds: fc.integer(seconds),
    length: fc.integer({ min: 0, max: length }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 40, size: "max" }),
      fc.integer({ min: 1, max: 7 }),
      async (steps, limit) => {
        const { share, expected } = journalsOf(steps);
        const rows = await pagesOf(share, { limit });
        expect(rows.map(({ session_id, request_id }) => `${session_id} ${request_id}`).sort()).toEqual(
          expected.sort(),
        );
        const times = rows.map(({ at }) => Date.parse(at));
        expect(times).toEqual([...times].sort((one, other) => other - one));
      },
    ),
    { numRuns: 60 },
  );
});

test("a journal whose clock went far back in the middle, or after its first record, is left out of later pages", async () => {
  const share = temporaryFolder();
  const at = [500_000, 501_000, 502_000, ...Array.from({ length: 30 }, (_, n) => 1_000 + n)];
  const text = at
    .map((time, n) => opened(`r${n}`, time) + words(time, 20_000) + settled(`r${n}`, time))
    .join("");
  journal(share, "s1", text, 1_029);
  journal(share, "s2", opened("r9", 1_010) + settled("r9", 1_010), 1_010);
  const rows = await pagesOf(share, { limit: 1 });
  const told = (id: string) => rows.filter(({ session_id }) => session_id === id).length;
  expect([told("s1"), told("s2"), rows.length]).toEqual([33, 1, 34]);
});

test("settlements that lie before one of an earlier time are told by no page", async () => {
  const share = temporaryFolder();
  const text = [500, 600, 550, 560]
    .map((at, n) => opened(`r${n + 1}`, at) + settled(`r${n + 1}`, at))
    .join("");
  journal(share, "s", text, 560);
  const rows = await pagesOf(share, { limit: 1 });
  expect(rows.map(({ request_id }) => request_id)).toEqual(["r4", "r3", "r2", "r1"]);
});

test("the lines of a journal that is cut while it is read are read for ever", async () => {
  /** A file that had 600 kB once, and now has as many of its lines as fit. */
  class Cut extends CountedFile {
    parts = 0;
    override part(from: number, to: number) {
      this.parts += 1;
      if (this.parts > 100) throw new Error("read for ever");
      return super.part(from, to);
    }
  }
  const whole = Buffer.from(`${"x".repeat(99)}\n`.repeat(6_000));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async (length) => {
      const file = new Cut({
        size: () => whole.length,
        read: async (into: Uint8Array, at: number) =>
          whole.subarray(0, length).copy(into, 0, Math.min(at, length)),
      } as unknown as DiskFile);
      const places: number[] = [];
      for (let end = whole.length; end > 0; ) {
        const { from, lines } = await linesBefore(file, end);
        expect(from).toBeLessThan(end);
        end = from;
        places.push(...lines.map(({ at }) => at));
      }
      expect(places).toEqual(Array.from({ length: Math.floor(length / 100) }, (_, n) => n * 100).reverse());
    }),
  );
});

test("a page of journals reads far more than its bound, or far less, where what is wanted is not there", async () => {
  const share = temporaryFolder();
  // 96 MiB of words, of which one page may read 64.
  for (let n = 0; n < 3; n += 1) {
    let text = "";
    for (let block = 0; block < 32; block += 1)
      text +=
        opened(`r${n}-${block}`, 100 * n + block) +
        words(100 * n + block, 2 ** 20) +
        settled(`r${n}-${block}`, 100 * n + block + 0.5);
    journal(share, `s${n}`, text, 100 * n + 50);
  }
  let pages = 0;
  const rows = await pagesOf(share, { limit: 200, text: "question r0-3?" }, () => {
    pages += 1;
  });
  expect(rows.map(({ request_id }) => request_id)).toEqual(["r0-3"]);
  expect([pages > 1, pages < 20]).toEqual([true, true]);
});

test("decisions that come between two pages move the rows of the next one", async () => {
  const share = temporaryFolder();
  const file = journal(
    share,
    "s",
    [1, 2, 3].map((n) => opened(`r${n}`, n) + settled(`r${n}`, n)).join(""),
    3,
  );
  const find = decisionsIn({ share, workDir: WORK_DIR });
  const { signal } = new AbortController();
  const first = await find({ limit: 1 }, signal);
  appendFileSync(file, opened("r4", 4) + settled("r4", 4));
  const rest = await find({ limit: 5, after: first.next ?? "" }, signal);
  expect([first, rest].map(({ decisions }) => decisions.map(({ request_id }) => request_id))).toEqual([
    ["r3"],
    ["r2", "r1"],
  ]);
  await expect(find({ limit: 1, after: "[1,2]" }, signal)).rejects.toMatchObject({ code: -32602 });
});

test("long words of a row, or all rows of a page together, have no bound", async () => {
  const share = temporaryFolder();
  const long = "y".repeat(20_000);
  let text = "";
  for (let n = 0; n < 200; n += 1) text += opened(`r${n}`, n, long) + settled(`r${n}`, n, "z".repeat(15_000));
  journal(share, "s", text, 200);
  const lengths: number[] = [];
  const rows = await pagesOf(share, { limit: 200 }, (page) => lengths.push(JSON.stringify(page).length));
  expect(rows).toHaveLength(200);
  expect(rows[0]).toMatchObject({ asked: `${"y".repeat(3_999)}…`, cut: true, digest: expect.any(String) });
  expect(rows[0]?.request).toBeUndefined();
  expect(Math.max(...lengths)).toBeLessThan(1_100_000);
});

test("a page that is given up goes on, and those behind it wait for ever", async () => {
  const asked: AbortSignal[] = [];
  const reads = new DecisionReads((_, signal) => {
    asked.push(signal);
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  const ends = [0, 1, 2].map(() => new AbortController());
  const pages = ends.map(({ signal }) =>
    reads.page({ limit: 1 }, signal).catch((error: Error) => error.message),
  );
  ends[1]?.abort(new Error("the second was given up"));
  expect(await pages[1]).toBe("the second was given up");
  ends[0]?.abort(new Error("so was the first"));
  expect(await pages[0]).toBe("so was the first");
  await expect.poll(() => asked.length).toBe(2);
  ends[2]?.abort(new Error("and the third"));
  expect(await pages[2]).toBe("and the third");
  const many = Array.from({ length: 34 }, () => new AbortController());
  const all = many.map(({ signal }) =>
    reads.page({ limit: 1 }, signal).catch((error: Error) => error.message),
  );
  expect(await all[33]).toContain("32 others wait");
  for (const end of many) end.abort(new Error("over"));
  expect(new Set(await Promise.all(all.slice(0, 33)))).toEqual(new Set(["over"]));
});
