import { describe, expect, test } from "vitest";
import { converse } from "./conversation.js";
import { connectsAtMost, faultKinds, nameOf, someFaults } from "./fault.js";
import { memory, webSocket } from "./transport.js";

const plain = await converse(webSocket);
const expected = plain.told.events.length;

test("the conversation over a WebSocket is the one in memory, message for message (P-FRM-6)", async () => {
  const { told, counts } = await converse(memory);
  expect(plain.told).toEqual(told);
  expect(plain.counts).toEqual(counts);
});

describe("a single fault on a WebSocket", () => {
  test.each(someFaults(faultKinds, plain.counts).map((fault) => [nameOf(fault), fault] as const))(
    "a fault on a WebSocket changes nothing of a conversation: %s (P-XAT-1, P-XAT-5, P-XAN-5, P-XTR-2, P-XTH-2, P-XCL-2 to P-XCL-7)",
    async (_name, fault) => {
      const { told, struck, connects, held, problems } = await converse(webSocket, [fault], { expected });
      expect(struck).toEqual([fault.kind]);
      expect(told).toEqual(plain.told);
      expect(connects).toBeLessThanOrEqual(connectsAtMost(fault));
      expect(held).toBeLessThanOrEqual(1);
      expect(problems.filter((problem) => /count|not answered/.test(problem))).toEqual([]);
    },
  );
});
