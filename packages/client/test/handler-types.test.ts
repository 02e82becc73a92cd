import { expect, test } from "vitest";
import type { ClientHandlers } from "../src/index.js";

const handlers = {
  word: { approval: async () => "approve", question: async () => "declined" },
  block: {
    async approval() {
      return "reject";
    },
    async question() {
      return "declined";
    },
  },
  atOnce: { approval: () => "approve_for_session", question: () => "declined" },
  either: {
    approval: async ({ id }) => (id === "" ? "approve" : { response: "reject", feedback: "no" }),
    question: async ({ questions: [first] }) =>
      first === undefined ? "declined" : { items: [{ question_id: first.id, selected: [] }] },
  },
} satisfies Record<string, ClientHandlers>;

test("handlers may give the word alone, at once or from an async function, and TypeScript takes it", async () => {
  const word: ClientHandlers = handlers.word;
  expect(await word.approval?.({} as never, {} as never)).toBe("approve");
  expect(await handlers.block.approval()).toBe("reject");
});

test("TypeScript refuses a word that no handler may give at once, and one of another kind", () => {
  // @ts-expect-error: a misspelt word.
  const misspelt: ClientHandlers = { approval: () => "aprove" };
  // @ts-expect-error: a number is no reply.
  const number: ClientHandlers = { question: async () => 3 };
  expect([misspelt, number]).toHaveLength(2);
});
