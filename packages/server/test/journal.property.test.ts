import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../src/index.js";
import { openJournal } from "../src/journal/journal.js";
import type { WireMessage } from "../src/journal/merge.js";
import { answered, detailedLog, recordsIn, temporaryFolder } from "./journal-folder.js";

// Every UTF-16 unit, halves of pairs and line separators too.
const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom("\u2028", "\ud83d", "\ude00", "\\", "\n", "é", "😀"),
);
const words = fc.string({ unit, maxLength: 12 });

type Step = WireMessage | { settle: string };
const event = <T extends WireMessage["type"]>(type: T, payload: fc.Arbitrary<unknown>) =>
  payload.map((value): Step => ({ type, payload: value }) as WireMessage);

const text = fc.record({ type: fc.constant("text"), text: words });
const think = fc.record({
  type: fc.constant("think"),
  think: words,
  encrypted: fc.constantFrom(null, null, null, "sealed"),
});
const call = fc.record({
  type: fc.constant("function"),
  id: words,
  function: fc.record({ name: words, arguments: fc.option(words) }),
  extras: fc.constant(null),
});
const id = fc.constantFrom("r-1", "r-2", "r-3");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: event("ContentPart", text) },
  { weight: 2, arbitrary: event("ContentPart", think) },
  { weight: 2, arbitrary: event("ToolCall", call) },
  { weight: 4, arbitrary: event("ToolCallPart", fc.record({ arguments_part: fc.option(words) })) },
  event("TurnBegin", fc.record({ user_input: words })),
  event("StepBegin", fc.record({ n: fc.integer({ min: 1, max: 9 }) })),
  event("ToolCallRequest", fc.record({ id, name: words, arguments: fc.option(words) })),
  id.map((settle): Step => ({ settle })),
);

/** A record, as `type` and payload without references to the input. */
type Plain = { type: string; payload: Record<string, unknown> };
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
/** Lone surrogates are written as U+FFFD, which is what UTF-8 does with them. */
const wellFormed = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (_, member) =>
    typeof member === "string" ? Buffer.from(member).toString() : member,
  );

/** The expected journal, computed in another way: runs of pieces, each joined at once. */
function expected(steps: readonly Step[]): Plain[] {
  const runs: Plain[][] = [];
  for (const now of steps) {
    const message: Plain = "settle" in now ? settledRecord(now.settle) : plain(now);
    const run = runs.at(-1);
    if (run !== undefined && follows(run, message)) run.push(message);
    else runs.push([message]);
  }
  return runs.map((run) => wellFormed(joined(run)));
}

const settledRecord = (request_id: string): Plain => ({
  type: "InteractionSettled",
  payload: { request_id, kind: "tool_call", outcome: plain(answered) },
});

function follows(run: readonly Plain[], { type, payload }: Plain): boolean {
  const last = run.at(-1) as Plain;
  if (type === "ToolCallPart") return last.type === "ToolCall" || last.type === "ToolCallPart";
  if (type !== "ContentPart" || last.type !== type || last.payload.type !== payload.type) return false;
  return payload.type === "text" || !last.payload.encrypted;
}

function joined([first, ...rest]: Plain[]): Plain {
  const { type, payload } = first as Plain;
  const all = (field: string, initial: unknown) => {
    const parts = [initial, ...rest.map((piece) => piece.payload[field])].filter((part) => part !== null);
    return parts.length === 0 ? null : parts.join("");
  };
  if (rest.length === 0) return { type, payload };
  if (payload.type === "text") return { type, payload: { ...payload, text: all("text", payload.text) } };
  if (payload.type === "think") {
    const encrypted = rest.at(-1)?.payload.encrypted ?? null;
    return { type, payload: { ...payload, think: all("think", payload.think), encrypted } };
  }
  if (type === "ToolCallPart") {
    return { type, payload: { arguments_part: all("arguments_part", payload.arguments_part) } };
  }
  const called = payload.function as { arguments: string | null };
  return {
    type,
    payload: { ...payload, function: { ...called, arguments: all("arguments_part", called.arguments) } },
  };
}

/** The ids that are asked last and not settled after that. */
function unsettled(records: readonly Plain[]): unknown[] {
  const open: unknown[] = [];
  for (const { type, payload } of records) {
    if (type === "ToolCallRequest") open.push(payload.id);
    const settled = type === "InteractionSettled" ? open.indexOf(payload.request_id) : -1;
    if (settled !== -1) open.splice(settled, 1);
  }
  return open.sort();
}

async function read(folder: string): Promise<Plain[]> {
  const records = await recordsIn(join(folder, "wire.jsonl"));
  return records
    .filter(({ type }) => type !== "SessionOpened")
    .map(({ type, payload }) => ({ type, payload: payload as Plain["payload"] }));
}

test("whatever is recorded reads back merged and equal; a file torn anywhere loses its last record at most, for good (P-JRN-3, P-JRN-6, P-JRN-8)", async () => {
  const folder = temporaryFolder();
  const open = () => openJournal({ folder, log: detailedLog(), clock: systemClock });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
      async (steps, cuts) => {
        rmSync(folder, { recursive: true, force: true });
        const journal = open();
        for (const now of steps) {
          if (!("settle" in now)) journal.record(now);
          else journal.settled({ request_id: now.settle, kind: "tool_call", outcome: answered });
        }
        await journal.close();
        const whole = await read(folder);
        expect(whole).toEqual(expected(steps));

        const file = join(folder, "wire.jsonl");
        const bytes = steps.length === 0 ? Buffer.alloc(0) : readFileSync(file);
        for (const cut of cuts) {
          const length = Math.floor(cut * bytes.length);
          const kept = bytes.subarray(0, length);
          mkdirSync(folder, { recursive: true });
          writeFileSync(file, kept);
          const left = await read(folder);
          expect(left).toEqual(whole.slice(0, left.length));
          // The header and the opening are the first lines; each line feed after them ends a record.
          const complete = kept.filter((byte) => byte === 0x0a).length - 2;
          expect(left.length).toBeGreaterThanOrEqual(complete);

          const next = open();
          next.record({ type: "TurnEnd", payload: {} });
          await next.close();
          const after = await read(folder);
          expect(after.slice(0, left.length)).toEqual(left);
          expect(after.at(-1)?.type).toBe("TurnEnd");
          const added = after.slice(left.length, -1);
          expect(added.map(({ payload }) => payload.request_id).sort()).toEqual(unsettled(left));
        }
      },
    ),
    { numRuns: 50 },
  );
});
