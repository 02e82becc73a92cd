import fc from "fast-check";
import { expect, test } from "vitest";
import { partialQuestion } from "../src/index.js";

/** Text of any kind, whole characters only, and some of what is escaped. */
const text = fc.string({
  unit: fc.oneof(fc.constantFrom('"', "\\", "\n", "/", "é", "问", "😀"), fc.string({ unit: "grapheme" })),
});

/** JSON as some models write it: in ASCII alone. */
const ascii = (json: string) =>
  json.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

test("the shown part of a question only ever grows towards its text, wherever its JSON is cut", () => {
  const written = fc.record({
    question: text,
    before: fc.dictionary(
      fc.constantFrom("header", "a", 'b"'),
      fc.oneof(fc.constant("question"), fc.jsonValue({ maxDepth: 0 })),
    ),
    nested: fc.boolean(),
    indent: fc.constantFrom(0, 2),
    escaped: fc.boolean(),
  });
  fc.assert(
    fc.property(written, ({ question, before, nested, indent, escaped }) => {
      const item = { ...before, question, options: [{ label: "question" }] };
      const json = JSON.stringify(
        nested ? { questions: [item, { question: "Another?" }] } : item,
        null,
        indent,
      );
      const sent = escaped ? ascii(json) : json;
      let shown = "";
      for (let end = 0; end <= sent.length; end++) {
        const now = partialQuestion(sent.slice(0, end)) ?? "";
        expect(now.startsWith(shown)).toBe(true);
        shown = now;
      }
      expect(shown).toBe(question);
    }),
  );
});

test.each([
  ["nothing yet", "", undefined],
  ["the name alone", '{"question"', undefined],
  ["a value of that word", '{"header": "question", "x": "y"', undefined],
  ["a question in the text of another member", '{"content": "{\\"question\\": \\"Why?\\"}"}', undefined],
  ["no text", '{"question": ["Which?"]}', undefined],
  ["an empty text", '{"question": "', ""],
  ["a text that goes on", '{"question": "Which dat', "Which dat"],
  ["a cut escape", '{"question": "a\\', "a"],
  ["a cut escape of four digits", '{"question": "a\\u00e', "a"],
  ["half a character", '{"question": "a\\ud83d', "a"],
  ["an escape that is none", '{"question": "a\\xb"}', "a"],
  ["more blanks than any model writes", `{"question"${" ".repeat(99)}: "a"}`, undefined],
])("the beginning of a question %s is shown as %s", (_what, json, shown) => {
  expect(partialQuestion(json)).toBe(shown);
});
