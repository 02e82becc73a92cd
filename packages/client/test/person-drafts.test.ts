import type { CoreQuestion, RequestDraft } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { draftOfForm, formWithDraft, personDrafts } from "../src/drafts.js";
import { type FormAction, type FormState, questionForm, reduceForm } from "../src/form/index.js";
import { extendedServer } from "./extended-server.js";

const draft: RequestDraft = { items: [{ question_id: "q1", selected: ["a"] }] };
const other: RequestDraft = { discuss: "why any?" };

/** The way of drafts to a server that keeps them, unless told otherwise. */
async function keeping(askwire: object = { drafts: true }) {
  const set = await extendedServer({}, {}, askwire);
  const drafts = personDrafts(set.session, set.time.timing);
  return { ...set, drafts };
}

type Line = Awaited<ReturnType<typeof keeping>>["line"];

/** The next draft that is sent, which the server takes. */
async function sent(line: Line) {
  const { id, method, params } = await line.next();
  line.reply(id);
  return { method, ...params };
}

describe("unsent work on its way to the server (P-XDR-1)", () => {
  test("changes of a draft are gathered for a second, and sent at once where the person turns away", async () => {
    const { line, drafts, time } = await keeping();
    for (const discuss of ["w", "wh", "why"]) drafts.keep("r-1", { discuss });
    drafts.keep("r-2", undefined);
    await line.settled();
    time.fire(1_000);
    expect(await sent(line)).toEqual({ method: "keep_draft", request_id: "r-1", draft: { discuss: "why" } });
    expect(await sent(line)).toEqual({ method: "keep_draft", request_id: "r-2" });
    drafts.keep("r-1", draft);
    drafts.flush();
    expect(await sent(line)).toMatchObject({ request_id: "r-1", draft });
    drafts.flush();
    await line.settled();
  });

  test("a draft that was on its way when the connection was lost is sent by the next one, unless a newer one waits or it was dropped", async () => {
    const { line, drafts, back } = await keeping();
    for (const id of ["r-1", "r-2", "r-3"]) drafts.keep(id, draft);
    drafts.flush();
    for (let n = 0; n < 3; n += 1) await line.next();
    drafts.keep("r-2", other);
    await line.cut();
    drafts.flush();
    drafts.drop("r-3");
    const { line: next } = await back();
    await next.settled();
    drafts.flush();
    const came = [await sent(next), await sent(next)];
    expect(came).toEqual(
      expect.arrayContaining([
        { method: "keep_draft", request_id: "r-1", draft },
        { method: "keep_draft", request_id: "r-2", draft: other },
      ]),
    );
    drafts.flush();
    await next.settled();
  });

  test("a draft that the server refuses is not sent again", async () => {
    const { line, drafts } = await keeping();
    drafts.keep("r-1", draft);
    drafts.flush();
    line.fail((await line.next()).id, -32010);
    await line.settled();
    drafts.flush();
    await line.settled();
  });

  test("a draft that is too long leaves an older one at the server, which other devices would take for the newest", async () => {
    const { line, drafts } = await keeping();
    drafts.keep("r-1", { discuss: "long" });
    drafts.flush();
    line.fail((await line.next()).id, -32602);
    expect(await sent(line)).toEqual({ method: "keep_draft", request_id: "r-1" });
    drafts.flush();
    await line.settled();
  });

  test("a server that keeps none is asked for nothing, and told nothing", async () => {
    const { line, drafts } = await keeping({});
    expect(drafts.areKept).toBe(false);
    drafts.keep("r-1", draft);
    drafts.flush();
    expect(await drafts.read("r-1")).toBeUndefined();
    await line.settled();
  });
});

describe("unsent work that comes back (P-XDR-2, P-XDR-4)", () => {
  test.each([
    ["the work of another device", { draft, age_ms: 7 }, { draft, ageMs: 7 }],
    ["nothing", {}, undefined],
    ["work without its age", { draft }, undefined],
    ["items that are no list", { draft: { items: 1 }, age_ms: 7 }, undefined],
    ["an item without its choices", { draft: { items: [{ question_id: "q1" }] }, age_ms: 7 }, undefined],
    ["words that are a number", { draft: { discuss: 1 }, age_ms: 7 }, undefined],
  ])(
    "what the person's other connections kept is read with its age, and damaged work is as none: %s",
    async (_, reply, found) => {
      const { line, drafts } = await keeping();
      const reading = drafts.read("r-1");
      const { id, method, params } = await line.next();
      expect([method, params]).toEqual(["read_draft", { request_id: "r-1" }]);
      line.reply(id, reply);
      expect(await reading).toEqual(found);
    },
  );

  test("a read that is refused, or whose connection is lost, finds nothing", async () => {
    const { line, drafts } = await keeping();
    const [refused, lost] = [drafts.read("r-1"), drafts.read("r-2")];
    line.fail((await line.next()).id, -32011);
    await line.cut();
    expect(await Promise.all([refused, lost, drafts.read("r-3")])).toEqual([undefined, undefined, undefined]);
  });
});

const plain = { header: "", body: "", other_label: "", other_description: "" };

const option = (id: string) => ({ id, label: id, description: "" });
const asked: readonly CoreQuestion[] = [
  {
    ...{ id: "q1", question: "Which colours?", ...plain, own_text: true, multi_select: true },
    options: ["red", "blue"].map(option),
  },
  {
    ...{ id: "q2", question: "Which shape?", ...plain, own_text: true, multi_select: false },
    options: ["round", "square"].map(option),
  },
  {
    ...{ id: "q3", question: "Under which name?", ...plain, own_text: true, multi_select: false },
    options: [],
    field: { type: "text", prefill: "mill" },
  },
];

const acted = (...actions: FormAction[]): FormState => actions.reduce(reduceForm, questionForm(asked));

describe("what of a form follows its person (P-XDR-1, P-XDR-4)", () => {
  test("choices, words and notes come to another form of the same questions, and nothing is confirmed there", () => {
    const form = acted(
      { type: "select", row: 1 },
      { type: "set", text: "or a dark red", caret: 13 },
      { type: "show", tab: 1 },
      { type: "select", row: 0 },
    );
    const found = draftOfForm(form, " why any? ");
    expect(found).toEqual({
      items: [
        { question_id: "q1", selected: ["blue"], own_text: "or a dark red" },
        { question_id: "q2", selected: ["round"] },
      ],
      discuss: " why any? ",
    });
    const there = formWithDraft(questionForm(asked), found ?? {});
    expect(there.drafts.map(({ chosen, text, confirmed }) => [chosen, text.text, confirmed])).toEqual([
      [["blue"], "or a dark red", undefined],
      [["round"], "", undefined],
      [[], "mill", undefined],
    ]);
    expect(draftOfForm(there, " why any? ")).toEqual(found);
  });

  test("a prefill that nobody changed is no work, and one that was wiped is", () => {
    expect(draftOfForm(questionForm(asked))).toBeUndefined();
    const wiped = acted({ type: "show", tab: 2 }, { type: "set", text: "", caret: 0 });
    expect(draftOfForm(wiped)).toEqual({ items: [{ question_id: "q3", selected: [], own_text: "" }] });
    expect(formWithDraft(questionForm(asked), draftOfForm(wiped) ?? {}).drafts[2]?.text.text).toBe("");
  });

  test("pictures stay on their device: they are not sent, and work from elsewhere leaves them", () => {
    const picture = {
      type: "image_url",
      image_url: { url: "data:image/png;base64,AAAA", id: null },
    } as const;
    const form = acted({ type: "attach", attachments: [picture] });
    expect(draftOfForm(form)).toBeUndefined();
    const there = formWithDraft(form, { items: [{ question_id: "q1", selected: ["red"] }] });
    expect(there.drafts[0]).toMatchObject({ chosen: ["red"], attachments: [picture] });
  });

  test("choices that the question does not have are left out, and of a single choice all but one", () => {
    const there = formWithDraft(questionForm(asked), {
      items: [
        { question_id: "q1", selected: ["green", "red", "blue"] },
        { question_id: "q2", selected: ["square", "round"], own_text: "or a heart" },
        { question_id: "q9", selected: ["red"] },
      ],
    });
    expect(there.drafts.map(({ chosen }) => chosen)).toEqual([["red", "blue"], ["square"], []]);
    expect(there.drafts[1]).toMatchObject({ isTextAside: true, text: { text: "or a heart" } });
  });
});
