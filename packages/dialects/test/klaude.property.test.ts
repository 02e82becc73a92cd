import { WireError } from "@askwire/protocol";
import { ToolError } from "@askwire/server";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readKlaudeCall } from "../src/klaude/read-call.js";
import { answeredText } from "../src/klaude/result-text.js";
import { approval, asked, joined } from "./joined-session.js";
import { extras, storage } from "./klaude-scenario.js";

const call = (args: string) => ({
  type: "function" as const,
  id: "tc-1",
  function: { name: "AskUserQuestion", arguments: args },
  extras: null,
});

/** Mostly what fits, with a member that does not now and then. */
const odd = <T>(fitting: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 9, arbitrary: fitting as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
const text = fc.oneof(fc.constantFrom("A", "B", "A (2)", "__proto__"), fc.string({ maxLength: 8 }));

const options = fc.uniqueArray(
  fc.record({ label: odd(text), description: text, markdown: text }, { requiredKeys: ["label"] }),
  { minLength: 2, maxLength: 5, selector: ({ label }) => label },
);
const someCall = fc.record({
  questions: odd(
    fc.array(
      fc.record(
        { question: text, header: odd(text), options: odd(options), multiSelect: odd(fc.boolean()) },
        { requiredKeys: ["question", "header", "options"] },
      ),
      { minLength: 1, maxLength: 5 },
    ),
  ),
});

test("whatever a model writes is asked, with texts that differ, or is reported as its mistake (P-KLA-1, P-KLA-3)", () => {
  let read = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        someCall.map((args) => JSON.stringify(args)),
        fc.string(),
      ),
      (args) => {
        try {
          const { questions, texts } = readKlaudeCall(call(args));
          read += 1;
          const shown = questions.map(({ question }) => question);
          expect(new Set(shown).size).toBe(shown.length);
          shown.forEach((question, index) => {
            if (texts.indexOf(texts[index] as string) === index) expect(question).toBe(texts[index]);
          });
        } catch (error) {
          if (!(error instanceof ToolError)) throw error;
          expect(error.message).toMatch(/^Invalid arguments: /);
        }
      },
    ),
    { numRuns: 2_000 },
  );
  expect(read).toBeGreaterThan(20);
});

test("own text and notes reach the model to the letter, whatever else was chosen (P-KLA-4)", () => {
  const questions = readKlaudeCall(call(JSON.stringify({ questions: [storage, extras] })));
  const said = fc.string({ minLength: 1 }).filter((words) => words.trim() !== "");
  const selected = fc.subarray(["q2_o1", "q2_o2", "q2_o3"]);
  fc.assert(
    fc.property(said, said, selected, (own_text, note, chosen) => {
      const items = [
        { question_id: "q1", selected: [], own_text },
        { question_id: "q2", selected: chosen, note },
      ];
      const { output } = answeredText(questions, { answers: {}, items }, undefined);
      const [first, second] = String(output).split("\n---\nQuestion: Which extras?\n");
      expect(first).toBe(`Question: Which storage?\nAnswer: Other: ${own_text}`);
      expect(second?.endsWith(`\nNote: ${note}`)).toBe(true);
    }),
  );
});

const some = odd(fc.constantFrom("q1", "q1_o1", "q1_o2", "__other__", "approve", "x"));
const response = fc.record({
  status: odd(fc.constantFrom("submitted", "cancelled")),
  payload: odd(
    fc.oneof(
      fc.constant(null),
      fc.record({ kind: fc.constant("operation_select"), selected_option_id: some }),
      fc.record({
        kind: fc.constant("ask_user_question"),
        answers: fc.array(
          fc.record(
            {
              question_id: some,
              selected_option_ids: fc.array(some, { maxLength: 2 }),
              other_text: odd(text),
              note: odd(text),
            },
            { requiredKeys: ["question_id", "selected_option_ids"] },
          ),
          { maxLength: 2 },
        ),
      }),
    ),
  ),
});

test("whatever a program responds settles the request, or is refused and leaves it open (P-KLA-9)", async () => {
  const { channel, next, respond } = joined();
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(asked, approval("Run")),
      fc.array(response, { maxLength: 10 }),
      async (init, responses) => {
        const ended = channel.request(init as typeof asked);
        const request = await next();
        for (const said of responses) {
          if (channel.pending === 0) break;
          try {
            respond(request, said);
            expect(channel.pending).toBe(0);
          } catch (error) {
            expect(error).toBeInstanceOf(WireError);
            expect(channel.pending).toBe(1);
            refused += 1;
          }
        }
        channel.cancelPending();
        expect(["submitted", "cancelled"]).toContain((await ended).status);
      },
    ),
    { numRuns: 300 },
  );
  expect(refused).toBeGreaterThan(100);
});
