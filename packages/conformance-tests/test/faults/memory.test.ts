import { describe, expect, test } from "vitest";
import { converse } from "./conversation.js";
import { connectsAtMost, everyFault, faultKinds, nameOf, oneSidedKinds } from "./fault.js";
import { memory } from "./transport.js";

const plain = await converse(memory);
const expected = plain.told.events.length;

test("an undisturbed conversation asks, looks up, asks again and writes, each once (P-XST-1)", () => {
  const { told, counts, connects, problems } = plain;
  expect(told.endings).toEqual([{ status: "finished" }, { status: "finished" }]);
  expect(told.done).toEqual(["question", "hook", "lookup size", "approval", "written"]);
  expect(told.settlements).toEqual([
    "QuestionRequest: 1",
    "hook: 1",
    "ToolCallRequest: 1",
    "InteractionOpened: 1",
  ]);
  expect(told.model).toHaveLength(5);
  expect(counts.server).toBeGreaterThan(6);
  expect(counts.client).toBeGreaterThan(24);
  expect([connects, problems]).toEqual([1, []]);
});

describe("a single fault on a connection in memory", () => {
  const kinds = [...faultKinds, ...oneSidedKinds];
  test.each(everyFault(kinds, plain.counts).map((fault) => [nameOf(fault), fault] as const))(
    "a fault on a connection in memory changes nothing of a conversation: %s (P-XAT-1, P-XAT-5, P-XAN-5, P-XTR-2, P-XTH-2, P-XCL-2 to P-XCL-7)",
    async (_name, fault) => {
      const { told, struck, connects, held, answerIds, problems } = await converse(memory, [fault], {
        expected,
      });
      expect(struck).toEqual([fault.kind]);
      expect(told).toEqual(plain.told);
      expect(answerIds).toEqual([1, 1]);
      expect(connects).toBeLessThanOrEqual(connectsAtMost(fault));
      // Of who has not introduced itself the server does not know that it came back.
      if (fault.to === "client" || fault.n > 1) expect(held).toBeLessThanOrEqual(1);
      expect(problems.filter((problem) => /count|not answered/.test(problem))).toEqual([]);
    },
  );
});
