import { reduceForm } from "@askwire/client/form";
import fc from "fast-check";
import { expect, test } from "vitest";
import { form, option, question } from "./forms.js";
import { drawn } from "./screen.js";

/** Texts of labels and own words that contain what could stand between two of them. */
const text = fc
  .array(fc.constantFrom("a", "b", "c", ", ", "，", "、", " · ", " → ", "; ", ": ", "1. "), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => parts.join("").trim())
  .filter((joined) => joined !== "");
const several = fc.record({
  labels: fc.uniqueArray(text, { minLength: 2, maxLength: 4 }),
  own: fc.array(text, { maxLength: 1 }),
});
const choice = fc.record({ marks: fc.nat(15), isOwn: fc.boolean() });

test("two different choices never read the same on the page to review, whatever stands in labels and own words", () => {
  fc.assert(
    fc.property(several, choice, choice, ({ labels, own: [own = "d"] }, one, other) => {
      const asked = question("Which?", {
        multi_select: true,
        options: labels.map((label, at) => option(`o${at}`, "", { label })),
      });
      const read = ({ marks, isOwn }: { marks: number; isOwn: boolean }) => {
        const chosen = asked.options.filter((_, at) => (marks >> at) % 2 === 1).map(({ id }) => id);
        const item = { question_id: asked.id, selected: chosen, ...(isOwn && { own_text: own }) };
        const begun = form([asked, question("And?")]);
        const drafts = begun.drafts.map((draft, at) =>
          at === 0
            ? { ...draft, chosen, ...(isOwn && { text: { text: own, caret: own.length } }), confirmed: item }
            : draft,
        );
        const review = reduceForm({ ...begun, drafts }, { type: "show", tab: 2 });
        const { lines } = drawn(review, {}, { columns: 200, rows: 60 });
        const first = lines.findIndex((line) => line.includes("Which?"));
        const last = lines.findIndex((line) => line.includes("And?"));
        return { item, rows: lines.slice(first + 1, last) };
      };
      const [a, b] = [read(one), read(other)];
      const isSame = JSON.stringify(a.item) === JSON.stringify(b.item);
      // Own words that equal a label are the same words.
      if (labels.includes(own) || a.rows.length + b.rows.length === 0) return;
      expect(a.rows.join("\n") === b.rows.join("\n")).toBe(isSame);
    }),
  );
});
