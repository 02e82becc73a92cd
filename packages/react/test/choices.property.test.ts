import { questionForm } from "@askwire/client/form";
import { answerChoices } from "@askwire/client/text";
import type { CoreQuestion } from "@askwire/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answerAsText } from "../src/cards/own-words.js";
import { atOnce, settled } from "./told-events.js";

const part = fc.constantFrom("a", "b", ", ", "、", " · ", "- ", "\n", "\n- ");
const text = fc
  .array(part, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join("").trim())
  .filter((joined) => joined !== "");
const label = text.map((said) => said.replaceAll("\n", " "));
const answer = fc.record({ marks: fc.nat(15), own: fc.option(text, { nil: undefined }) });

const asks = (labels: readonly string[]): CoreQuestion => ({
  ...{ id: "pick", question: "Which?", header: "", multi_select: true, own_text: true },
  ...{ body: "", other_label: "", other_description: "" },
  options: labels.map((said, at) => ({ id: `o${at}`, label: said, description: "" })),
});

test("two different choices never read the same in the text to copy, nor in the conversation", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(label, { minLength: 2, maxLength: 4 }),
      answer,
      answer,
      (labels, one, other) => {
        const question = asks(labels);
        const read = ({ marks, own }: { readonly marks: number; readonly own: string | undefined }) => {
          const selected = question.options.filter((_, at) => (marks >> at) % 2 === 1).map(({ id }) => id);
          const item = { question_id: "pick", selected, ...(own !== undefined && { own_text: own }) };
          const choices = answerChoices(question, item);
          const copied = answerAsText([question], { items: [item] }, { form: questionForm([question]) });
          const store = atOnce();
          store.handlers.history.request?.({
            type: "QuestionRequest",
            payload: { id: "q", tool_call_id: "1", questions: [question] },
          } as never);
          store.handlers.history.end?.(true);
          const answers = { "Which?": choices.join(", ") };
          store.handlers.event(settled("q", "question", { answers, items: [item] }));
          const [entry] = store.current().entries;
          return { choices, copied, told: entry?.kind === "asked" ? entry.settled?.answers : undefined };
        };
        const [a, b] = [read(one), read(other)];
        const isSame = JSON.stringify(a.choices) === JSON.stringify(b.choices);
        expect(a.copied === b.copied).toBe(isSame);
        expect(JSON.stringify(a.told) === JSON.stringify(b.told)).toBe(isSame);
        if (a.choices.length > 0) expect(a.told).toEqual([["Which?", a.choices]]);
      },
    ),
  );
});
