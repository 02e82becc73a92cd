import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answersOfFile } from "../../src/ask/answers.js";
import { readQuestions } from "../../src/ask/questions.js";
import { CommandFailure } from "../../src/input/failure.js";

describe("damaged files", () => {
  const word = fc.constantFrom("A", "B", "C, D", "__proto__", "labels", "", 1, null);
  const value = fc.oneof(
    word,
    fc.array(word, { maxLength: 3 }),
    fc.record({ labels: fc.array(word), own_text: word }, { requiredKeys: [] }),
    fc.jsonValue(),
  );
  const question = fc.record(
    { question: word, header: word, options: fc.array(value, { maxLength: 3 }), multi_select: fc.boolean() },
    { requiredKeys: ["question"] },
  );

  /** The result of reading. A mistake must be a wrong use in one line that begins with the source. */
  function reading<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      expect(error).toBeInstanceOf(CommandFailure);
      expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(/^f\.json: [^\n]+$/) });
      return undefined;
    }
  }

  test("questions are read completely or refused, whatever the file holds", () => {
    const file = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(question, { maxLength: 3 }).map((questions) => JSON.stringify({ questions })),
    );
    fc.assert(
      fc.property(file, (json) => {
        const questions = reading(() => readQuestions(json, "f.json"));
        if (questions === undefined) return;
        expect(questions.map(({ question }) => question)).toEqual(
          JSON.parse(json).questions.map(({ question }: { question: string }) => question),
        );
      }),
    );
  });

  test("answers name existing questions or are refused, whatever the file holds", () => {
    const questions = ["A", "__proto__"].map((text, index) => ({
      id: `q${index}`,
      question: text,
      header: "",
      options: ["A", "C, D", "__proto__"].map((label) => ({ id: `o-${label}`, label, description: "" })),
      multi_select: index === 1,
      body: "",
      other_label: "",
      other_description: "",
      own_text: true,
    }));
    const file = fc
      .dictionary(fc.constantFrom("A", "__proto__", "A", "B"), value)
      .map((map) => JSON.stringify(map));
    fc.assert(
      fc.property(file, (json) => {
        const items = reading(() => answersOfFile(questions, json, "f.json"));
        if (items === undefined) return;
        const given = JSON.parse(json);
        for (const [index, { question_id, selected, own_text, skipped }] of items.entries()) {
          const {
            id,
            question: text,
            options,
            multi_select,
          } = questions[index] as (typeof questions)[number];
          expect(question_id).toBe(id);
          expect(skipped === true).toBe(!Object.hasOwn(given, text));
          expect(skipped === true).toBe(selected.length === 0 && own_text === undefined);
          expect(options.map((option) => option.id)).toEqual(expect.arrayContaining(selected));
          if (!multi_select) expect(selected.length + (own_text === undefined ? 0 : 1)).toBeLessThan(2);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
