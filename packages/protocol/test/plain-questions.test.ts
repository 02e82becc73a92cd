// The arguments of a question tool where their meaning is plain (P-DIA-10).

import { plainQuestions } from "@askwire/protocol/internal";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const label = fc.string().filter((text) => !/^\s*[[{]/.test(text));
const option = fc.record({ label, description: fc.string() });
const question = fc.record({
  question: fc.string(),
  header: fc.string(),
  options: fc.array(option, { minLength: 1, maxLength: 4 }),
  multi_select: fc.boolean(),
});
const call = fc.record({ questions: fc.array(question, { minLength: 1, maxLength: 4 }) });

test("a call that fits the schema stays unchanged", () => {
  void fc.assert(
    fc.property(call, (written) => {
      expect(plainQuestions(written, "multi_select")).toEqual(written);
    }),
  );
});

test("each plain way of writing a call reads as the call", () => {
  type Call = typeof call extends fc.Arbitrary<infer C> ? C : never;
  const ways: readonly ((written: Call) => unknown)[] = [
    ({ questions }) => ({ questions: JSON.stringify(questions) }),
    ({ questions }) => ({ questions: questions.length === 1 ? questions[0] : questions }),
    ({ questions }) => ({
      questions: questions.map((one) => ({ ...one, options: JSON.stringify(one.options) })),
    }),
    ({ questions }) => ({
      questions: questions.map(({ multi_select, ...one }) => ({ ...one, multiSelect: String(multi_select) })),
    }),
    ({ questions }) => ({ questions: questions.map((one) => ({ ...one, field: null })), handle: null }),
  ];
  for (const way of ways) {
    void fc.assert(
      fc.property(call, (written) => {
        expect(plainQuestions(way(written), "multi_select")).toEqual(written);
      }),
    );
  }
});

test("whatever a model writes is read without a failure", () => {
  const key = fc.constantFrom(
    "questions",
    "question",
    "options",
    "multiSelect",
    "field",
    "bounds",
    "__proto__",
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.constantFrom("true", '["a"]', '{"question": "Q?"}', "[", null),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
    ),
  }));
  void fc.assert(
    fc.property(fc.dictionary(key, tree), (written) => {
      expect(plainQuestions(written, "multi_select")).toBeTypeOf("object");
    }),
  );
});
