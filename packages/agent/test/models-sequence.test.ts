import type { ModelPart } from "@askwire/server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { partSequence } from "../src/models/part-sequence.js";

const text = (text: string): ModelPart => ({ type: "content", part: { type: "text", text } });

/** The calls and texts of an answer for its reader. A piece of arguments belongs to the call before. */
function read(parts: readonly ModelPart[]): string[] {
  const read: string[] = [];
  for (const part of parts) {
    if (part.type === "tool_call") read.push(`${part.call.id} `);
    else if (part.type === "tool_call_part") read.push(`${read.pop()}${part.arguments_part}`);
    else if (part.type === "content" && part.part.type === "text") read.push(part.part.text);
  }
  return read;
}

test("calls that stream beside each other and words between them come whole, in the order in which they began (P-MOD-1, P-MOD-2)", () => {
  const args = fc.oneof(
    fc.json(),
    fc.dictionary(fc.string(), fc.nat()).map((value) => JSON.stringify(value)),
    fc.string().filter((value) => !value.includes("}")),
  );
  const call = fc.record({ args, size: fc.integer({ min: 1, max: 9 }) });
  void fc.assert(
    fc.property(fc.array(call, { maxLength: 5 }), fc.infiniteStream(fc.nat()), (calls, choices) => {
      const sequence = partSequence();
      const parts: ModelPart[] = [];
      const begun: string[] = [];
      const left = calls.map(({ args, size }) => [...(args.match(new RegExp(`.{1,${size}}`, "gs")) ?? [])]);
      const at = () => choices.next().value ?? 0;
      let next = 0;
      while (next < left.length || left.some((pieces) => pieces.length > 0)) {
        const index = at() % (next + 1);
        const pieces = left[index] ?? [];
        if (index === next && next < left.length) {
          begun.push(`c${next} ${calls[next]?.args}`);
          parts.push(...sequence.begin(`c${next}`, "T", null));
          next += 1;
        } else if (at() % 4 === 0 && parts.length > 0) {
          begun.push("word");
          parts.push(...sequence.part(text("word")));
        } else {
          const piece = pieces.shift();
          if (piece !== undefined) parts.push(...sequence.more(`c${index}`, piece));
        }
      }
      for (const index of calls.keys()) parts.push(...sequence.end(`c${index}`));
      expect(read(parts)).toEqual(begun);
    }),
  );
});

test("a call that is complete does not hold up what follows", () => {
  const sequence = partSequence();
  sequence.begin("c1", "T", null);
  expect(sequence.more("c1", '{"a":1}')).toHaveLength(1);
  expect(sequence.part(text("word"))).toEqual([text("word")]);
  expect(read(sequence.begin("c2", "T", null))).toEqual(["c2 "]);
  expect(sequence.more("c1", "{}")).toEqual([]);
});

test("a call that is not complete holds up what follows, until it ends", () => {
  const sequence = partSequence();
  sequence.begin("c1", "T", null);
  sequence.more("c1", '{"a":');
  expect([
    ...sequence.part(text("word")),
    ...sequence.begin("c2", "T", null),
    ...sequence.more("c2", "{}"),
  ]).toEqual([]);
  expect(read([...sequence.end("c1")])).toEqual(["word", "c2 {}"]);
});
