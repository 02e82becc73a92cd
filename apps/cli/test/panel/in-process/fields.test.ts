import { terminalWords } from "@askwire/client/words";
import type { Field } from "@askwire/protocol";
import { expect, test } from "vitest";
import { paintFor } from "../../../src/device/paint.js";
import { questionSummary } from "../../../src/panel/summary.js";
import { features, form, option, question, typed } from "./forms.js";
import { frame } from "./screen.js";

const port = question("Which port?", {
  field: { type: "integer", bounds: { min: 1024, max: 65535 }, prefill: "8080" } satisfies Field,
});
const remote = question("May other machines connect?", {
  field: { type: "boolean" } satisfies Field,
  options: [option("true", "", { label: "Yes" }), option("false", "", { label: "No" })],
  own_text: false,
});
const until = question("Until when?", { field: { type: "date", required: false } satisfies Field });
const counted = { ...features, min: 2, max: 3 };

test("a field says what it takes, and begins with its prefill (P-XFL-6)", () => {
  expect(frame(form([port]))).toMatchInlineSnapshot(`
    "

    Which port? (a whole number from 1024 to 65535)

    ❯ 8080

    Enter confirm · Esc clear · Ctrl-G put aside
    "
  `);
});

test("a value that does not fit stays, and the line below says what is expected (P-XFL-4)", () => {
  expect(frame(form([port], [typed("0"), { type: "confirm" }]))).toMatchInlineSnapshot(`
    "

    Which port? (a whole number from 1024 to 65535)

    ❯ 80800

    ! Expected: a whole number from 1024 to 65535.
    Enter confirm · Esc clear · Ctrl-G put aside
    "
  `);
});

test("a value that is sent in another form than typed is shown as it is sent (P-XFL-3)", () => {
  expect(frame(form([question("Since when?", { field: { type: "date" } })], [typed("2026/3/1")]))).toContain(
    "sent as 2026-03-01\n",
  );
});

test("a boolean field has two options, and a field that may be left empty says so (P-XFL-3, P-XFL-5)", () => {
  const both = [remote, until];
  expect(frame(form(both))).toMatchInlineSnapshot(`
    "

    [☐ Q1] ☐ Q2  Submit

    May other machines connect? (required)

    ❯ 1. Yes
      2. No

    ↑↓ move · Enter choose · Tab next question · Esc decline · Ctrl-G put aside
    "
  `);
  expect(frame(form(both, [{ type: "choose", row: 0 }]))).toMatchInlineSnapshot(`
    "

     ✔ Q1 [☐ Q2] Submit

    Until when? (a date such as 2026-03-01, may stay empty)

    ❯ Type your answer

    Enter confirm · Tab next question · Esc decline · Ctrl-G put aside
    "
  `);
  const reviewed = form(both, [{ type: "choose", row: 0 }, { type: "confirm" }]);
  expect(frame(reviewed)).toMatchInlineSnapshot(`
    "

     ✔ Q1  ✔ Q2 [Submit]

    Review your answers
    ● May other machines connect?
      → Yes
    ● Until when?
      → left empty

    Ready to submit your answers?

    ❯ 1. Submit answers
      2. Cancel

    ↑↓ move · Enter choose · ← back to the questions · Ctrl-E show all · Esc decline
    "
  `);
});

test("a multiple choice says how many are wanted, before and after (P-XFL-7)", () => {
  const one = form([counted], [{ type: "choose", row: 0 }, { type: "confirm" }]);
  expect(frame(one)).toMatchInlineSnapshot(`
    "

    Features · Which features go into the first release? (2 to 3 choices)

    ❯ 1. [✔] Search
      2. [ ] Export
      3. [ ] Single sign-on
      4. [ ] Audit log
      5. [ ] Other
      ✔ Submit

    ! Expected: 2 to 3 choices.
    ↑↓ move · Space select · Enter confirm · Tab own text · Esc decline
    "
  `);
});

test("the lines that stay show the option of a boolean, and that a field was left empty", () => {
  const items = [
    { question_id: remote.id, selected: [], own_text: "false" },
    { question_id: until.id, selected: [], skipped: true },
  ];
  const lines = questionSummary([remote, until], items, paintFor({}, {}), terminalWords.en.asked);
  expect(lines).toEqual(["● May other machines connect?", "  → No", "● Until when?", "  → left empty"]);
});
