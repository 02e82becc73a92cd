import { describe, expect, test } from "vitest";
import { converse } from "./conversation.js";
import { nameOf, someFaults } from "./fault.js";
import { paces } from "./talkative-client.js";
import { memory } from "./transport.js";

const plain = await converse(memory);
const expected = plain.told.events.length;

describe.each(["slowly", "once the connection is lost"] as const)("a person who answers %s", (name) => {
  const kinds = ["cut after", "lost, unseen by the server"] as const;
  test.each(someFaults(kinds, plain.counts).map((fault) => [nameOf(fault), fault] as const))(
    "a person whose answers are slow is asked once, and each answer counts once: %s (P-XAN-5, P-XTH-2, P-XCL-3, P-XCL-6)",
    async (_name, fault) => {
      const { told, answerIds, problems } = await converse(memory, [fault], { expected, pace: paces[name] });
      expect(told).toEqual(plain.told);
      expect(answerIds).toEqual([1, 1]);
      expect(problems.filter((problem) => /count|not answered/.test(problem))).toEqual([]);
    },
  );
});
