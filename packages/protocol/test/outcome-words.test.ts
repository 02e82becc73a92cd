import { describe, expect, test } from "vitest";
import { type Outcome, outcomeReasons, outcomeWords } from "../src/index.js";

const at = "2026-11-28T12:00:00.000Z";

const ends = Object.entries(outcomeReasons).flatMap(([status, reasons]) =>
  (reasons.length === 0 ? [undefined] : reasons).map(
    (reason) => ({ status, reason, by: "system", at }) as Outcome,
  ),
);

describe("the words for a model", () => {
  test.each(ends)(
    "an end that is $status, $reason has words for a question and for an approval (P-OUT-7)",
    (end) => {
      for (const kind of ["question", "approval"] as const) {
        const { message, brief } = outcomeWords(end, kind);
        expect(message).toMatch(/^[A-Z].*\. [A-Z].*\.$/);
        expect(brief.length).toBeLessThan(25);
      }
    },
  );

  test("an approval without an answer is never told as one that may be gone around (P-OUT-6)", () => {
    for (const end of ends) {
      expect(outcomeWords(end, "approval").message).toContain("Do not get the same effect in another way");
    }
  });

  test("the person's own words come with a rejection and with a decline", () => {
    const rejected: Outcome = { status: "answered", by: "human", at };
    expect(outcomeWords(rejected, "approval", "rather green").message).toMatch(
      /do what they said: rather green$/,
    );
    const declined: Outcome = { status: "declined", reason: "discuss", by: "human", at, note: "why?" };
    expect(outcomeWords(declined, "question").message).toMatch(/They said: why\?$/);
  });

  test("an end in words of a later version is told as no answer, with its words (P-OUT-8)", () => {
    const { message } = outcomeWords({ status: "postponed", reason: "lunch", by: "robot" }, "question");
    expect(message).toContain("taken back before anybody answered");
    expect(message).toContain("postponed, lunch, by robot");
  });
});
