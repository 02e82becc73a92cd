import type { FormState } from "@askwire/client/form";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { option, question } from "./forms.js";
import { approvalView, panelRoom, requestContext, settled } from "./room.js";
import { leadOf, type Typing, typing } from "./sentences.js";

const RUNS = { numRuns: 100 };

/** A person at a panel that is not drawn; the form that would be is kept. */
async function atPanel() {
  let form: FormState | undefined;
  const view = {
    draw(content: { form: FormState }) {
      form = content.form;
      return { lines: [], lastTop: 0, isCut: false };
    },
  };
  let edits = 0;
  const edit = async (text: string) => {
    edits += 1;
    return text;
  };
  const room = await panelRoom({ view, edit });
  return {
    ...room,
    /** The number of times that an editor was opened. */
    edited: () => edits,
    form: () => form as FormState,
    /** Lets keys come, each after its pause, and what follows from them happen. */
    async types({ steps }: Typing) {
      for (const [ms, bytes] of steps) {
        room.clock.pass(ms);
        room.terminal.borrower?.input(Buffer.from(bytes));
      }
      await room.pass(300);
    },
  };
}

/** The result of a request; undefined while it is open. */
function outcomeOf<T>(reply: PromiseLike<T> | T) {
  let outcome: T | undefined;
  void (async () => {
    outcome = await reply;
  })();
  return () => outcome;
}

const sizes = [option("S", "small", { preview: "s" }), option("M"), option("L"), option("XL")];
const plain = ["S", "M", "L", "XL"].map((label) => option(label));

async function asked(...questions: ReturnType<typeof question>[]) {
  const at = await atPanel();
  const view = { id: "q", tool_call_id: "c", questions };
  const outcome = outcomeOf(at.person.question(view, requestContext().context));
  await at.settled();
  return { ...at, outcome };
}

describe("words that a person types or pastes at any pace, and Enter after them", () => {
  test("typed or pasted words and Enter reject an approval with those words", async () => {
    await fc.assert(
      fc.asyncProperty(typing({ alone: true }), async (what) => {
        const at = await atPanel();
        const outcome = outcomeOf(at.person.approval(approvalView(), requestContext().context));
        await at.settled();
        await at.types(what);
        const reply = outcome() as { response: string; feedback: string };
        expect(reply).toMatchObject({ response: "reject" });
        const lead = leadOf(what.text);
        const isQuick = what.steps.slice(1, lead.length + 1).every(([ms]) => ms < 300);
        // Letters that stood alone moved the cursor, and may be keys.
        if (isQuick || what.steps.length === 2) expect(reply.feedback).toBe(what.text.trim());
        else expect(reply.feedback).toMatch(endOf(what.text.slice(lead.length)));
      }),
      RUNS,
    );
  });

  test("typed or pasted words and Enter reject an approval with options and a changeable text, and open no editor (P-XAO-1, P-XAO-3)", async () => {
    await fc.assert(
      fc.asyncProperty(typing({ alone: true }), async (what) => {
        const at = await atPanel();
        const view = approvalView({
          options: [
            { id: "once", label: "Approve", kind: "allow" },
            { id: "never", label: "Never", kind: "reject" },
            { id: "too", label: "Approve all", kind: "allow" },
          ],
          edit: { content: "npm test", max_length: 100 },
        });
        const outcome = outcomeOf(at.person.approval(view, requestContext().context));
        await at.settled();
        await at.types(what);
        expect(outcome()).toMatchObject({ option: "never", feedback: expect.stringMatching(/\S/) });
        expect(at.edited()).toBe(0);
      }),
      RUNS,
    );
  });

  test.each([
    ["one choice", question("Size?", { options: plain })],
    ["one choice with previews and a default", question("Size?", { options: sizes, default: ["M"] })],
    ["an open question", question("Size?")],
  ])("typed or pasted words and Enter answer %s with those words", async (_kind, one) => {
    await fc.assert(
      fc.asyncProperty(typing({ alone: false }), async (what) => {
        const { types, outcome } = await asked(one);
        await types(what);
        expect(outcome()).toEqual({ items: [{ question_id: one.id, selected: [], own_text: what.text }] });
      }),
      RUNS,
    );
  });

  test("typed or pasted words and Enter check and send nothing in a multiple choice, and stand before the row that submits", async () => {
    await fc.assert(
      fc.asyncProperty(typing({ alone: false }), async (what) => {
        const { types, outcome, form } = await asked(
          question("Sizes?", { options: plain, multi_select: true }),
        );
        await types(what);
        expect(outcome()).toBeUndefined();
        expect(form().drafts[0]).toMatchObject({ chosen: [], text: { text: what.text }, row: 5 });
      }),
      RUNS,
    );
  });

  test.each([
    ["one choice", question("Size?", { options: plain, own_text: false })],
    ["several choices", question("Sizes?", { options: sizes, own_text: false, multi_select: true })],
  ])(
    "typed or pasted words and Enter choose nothing of %s without own words, and the panel says so",
    async (_kind, one) => {
      await fc.assert(
        fc.asyncProperty(typing({ alone: false }), async (what) => {
          const { types, outcome, form } = await asked(one);
          await types(what);
          expect(outcome()).toBeUndefined();
          expect(form().drafts[0]).toMatchObject({ chosen: [], row: 0 });
          expect(form().hint).toEqual({ why: "no_words_here" });
          // Enter that is pressed at what is shown chooses again.
          await types({
            text: "",
            steps: [
              [1_000, " "],
              [1_000, "\r"],
            ],
          });
          expect(outcome()).toMatchObject({ items: [{ selected: ["S"] }] });
        }),
        RUNS,
      );
    },
  );

  test("typed or pasted words and Enter answer no second question, and submit nothing on the page to review", async () => {
    const first = question("Size?", { options: plain });
    const second = question("Sizes?", { options: plain, multi_select: true, own_text: false });
    await fc.assert(
      fc.asyncProperty(typing({ alone: false }), typing({ alone: false }), async (what, more) => {
        const { types, outcome, form } = await asked(first, second);
        await types(what);
        expect(form()).toMatchObject({
          tab: 1,
          drafts: [{ confirmed: { own_text: what.text } }, { chosen: [] }],
        });
        await types({
          text: "",
          steps: [
            [1_000, "2"],
            [1_000, "\r"],
          ],
        });
        expect(form().tab).toBe(2);
        await types(more);
        expect(outcome()).toBeUndefined();
        expect(form().hint).toEqual({ why: "no_words_here" });
        await types({ text: "", steps: [[1_000, "\r"]] });
        expect(outcome()).toMatchObject({ items: [{ own_text: what.text }, { selected: ["M"] }] });
      }),
      RUNS,
    );
  });

  test("words whose beginning was typed before the panel took keys approve nothing", async () => {
    await fc.assert(
      fc.asyncProperty(typing({ alone: true }), fc.nat(), async (what, at) => {
        const cut = at % what.steps.length;
        const panel = await atPanel();
        const outcome = outcomeOf(panel.person.approval(approvalView(), requestContext().context));
        await settled();
        await panel.types({
          text: "",
          steps: what.steps.slice(0, cut + 1).map(([, bytes]) => [0, bytes] as const),
        });
        await panel.pass(500);
        await panel.types({ text: "", steps: what.steps.slice(cut + 1) });
        expect(outcome() ?? { response: "reject" }).toMatchObject({ response: "reject" });
      }),
      RUNS,
    );
  });
});

/** Own words that end with this, trimmed as they are sent. */
const endOf = (text: string) => new RegExp(`${text.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);

test("lines that come without the marks of a paste approve nothing, and choose nothing in the next question", async () => {
  const lines = fc.array(fc.tuple(typing({ alone: true }), fc.constantFrom("\r", "\r\r")), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(lines, async (typings) => {
      const approval = await atPanel();
      const reply = outcomeOf(approval.person.approval(approvalView(), requestContext().context));
      await approval.settled();
      const bytes = typings.map(([{ text }, end]) => text.replaceAll("\n", "\r") + end).join("");
      const at = await asked(question("Name?"), question("Size?", { options: plain }));
      for (const each of [approval, at]) {
        each.terminal.borrower?.input(Buffer.from(bytes));
        await each.pass(300);
      }
      expect(reply()).toMatchObject({ response: "reject" });
      expect(at.outcome()).toBeUndefined();
      expect(at.form().drafts.map(({ chosen }) => chosen)).toEqual([[], []]);
    }),
    RUNS,
  );
});
