import { describe, expect, test } from "vitest";
import type { Message } from "../raw-client.js";
import { approval, everything, items, meetExtended, question, twoAsked } from "./extended-client.js";

interface Issue {
  question_id: string | null;
  code: string;
  message: string;
}

/** The issues of an answer, as `question code`; empty for another error. */
function issuesOf({ error }: Message): string[] {
  const { code, data } = error ?? {};
  expect(code).toBe(-32013);
  const { issues } = data as { issues: Issue[] };
  for (const issue of issues) {
    expect(Object.keys(issue).sort()).toEqual(["code", "message", "question_id"]);
    expect(issue.message).not.toBe("");
  }
  return issues.map(({ question_id, code }) => `${question_id} ${code}`);
}

const [colour, extras] = items as [object, object];
const size = { question_id: "size", selected: ["small"] };
const closed = {
  id: "size",
  question: "Which size?",
  own_text: false,
  options: [
    { id: "small", label: "Small" },
    { id: "large", label: "Large" },
  ],
};
const image = (url: string) => ({ type: "image_url", image_url: { url, id: null } });
const png = (bytes: number) => image(`data:image/png;base64,${Buffer.alloc(bytes).toString("base64")}`);
const MiB = 1024 * 1024;
const withImages = (...attachments: unknown[]) => [{ ...colour, attachments }, extras, size];

const declined = (reason?: string) => ({ status: "declined", ...(reason !== undefined && { reason }) });

/** A client's words about the three questions, and their issues. */
const table: [what: string, said: object, issues: string[]][] = [
  ["no items", {}, ["colour missing", "extras missing", "size missing"]],
  ["an empty list of items", { items: [] }, ["colour missing", "extras missing", "size missing"]],
  ["a question without an item", { items: [colour, size] }, ["extras missing"]],
  [
    "an item with nothing chosen",
    { items: [colour, { question_id: "extras", selected: [] }, size] },
    ["extras missing"],
  ],
  [
    "a question that is not there",
    { items: [...items, size, { question_id: "shape", selected: [] }] },
    ["shape unknown_question"],
  ],
  [
    "one named like a part of every object",
    { items: [...items, size, { question_id: "__proto__", selected: ["x"] }] },
    ["__proto__ unknown_question"],
  ],
  ["a question twice", { items: [...items, size, colour] }, ["colour repeated_question"]],
  [
    "an option that is not there",
    { items: [{ question_id: "colour", selected: ["green"] }, extras, size] },
    ["colour unknown_option"],
  ],
  [
    "a label instead of an id",
    { items: [{ question_id: "colour", selected: ["Red"] }, extras, size] },
    ["colour unknown_option"],
  ],
  [
    "an option of another question",
    { items: [colour, { question_id: "extras", selected: ["bell", "red"] }, size] },
    ["extras unknown_option"],
  ],
  [
    "two options of a single choice",
    { items: [{ question_id: "colour", selected: ["red", "blue"] }, extras, size] },
    ["colour too_many"],
  ],
  [
    "an option and own text of a single choice",
    { items: [{ ...colour, own_text: "green" }, extras, size] },
    ["colour too_many"],
  ],
  [
    "own text where none counts",
    { items: [colour, { ...extras, own_text: "wings" }, size] },
    ["extras own_text"],
  ],
  [
    "own text of nothing but spaces",
    { items: [{ question_id: "colour", selected: [], own_text: " \t\u00a0\n" }, extras, size] },
    ["colour blank"],
  ],
  [
    "a skipped item with a choice",
    { items: [{ ...colour, skipped: true }, extras, size] },
    ["colour skipped"],
  ],
  [
    "a skipped item with own text",
    { items: [{ question_id: "colour", selected: [], own_text: "green", skipped: true }, extras, size] },
    ["colour skipped"],
  ],
  [
    "nothing but skipped questions",
    {
      items: ["colour", "extras", "size"].map((question_id) => ({
        question_id,
        selected: [],
        skipped: true,
      })),
    },
    ["null nothing_answered"],
  ],
  ["an attachment that is text", { items: withImages({ type: "text", text: "x" }) }, ["colour attachment"]],
  [
    "an image somewhere else",
    { items: withImages(image("https://example.com/a.png")) },
    ["colour attachment"],
  ],
  ["a file of this machine", { items: withImages(image("file:///etc/passwd")) }, ["colour attachment"]],
  [
    "data that is no image",
    { items: withImages(image("data:text/html;base64,PGI+")) },
    ["colour attachment"],
  ],
  [
    "a video",
    { items: withImages({ type: "video_url", video_url: { url: "data:video/mp4;base64,AA==", id: null } }) },
    ["colour attachment"],
  ],
  ["an image of more than 5 MiB", { items: withImages(png(5 * MiB + 1)) }, ["colour attachment"]],
  [
    "a response, which belongs to approvals",
    { items: [...items, size], response: "approve" },
    ["null unexpected"],
  ],
  [
    "feedback, which belongs to approvals",
    { items: [...items, size], feedback: "well" },
    ["null unexpected"],
  ],
  [
    "a reason, which belongs to declining",
    { items: [...items, size], outcome: { status: "answered", reason: "dismissed" } },
    ["null unexpected"],
  ],
  ["items, but declined", { items: [...items, size], outcome: declined() }, ["null unexpected"]],
  ["a response, but declined", { response: "reject", outcome: declined("discuss") }, ["null unexpected"]],
];

const asked3 = () => twoAsked(() => [question({ questions: [...question().questions, closed] as never })]);

/** The request is as open as before, and a corrected answer counts. */
async function corrected(
  { one, two, asked, prompt, session }: Awaited<ReturnType<typeof twoAsked>>,
  said: object,
) {
  expect([session.pending.length, one.events("InteractionSettled")]).toEqual([1, []]);
  expect((await two.answer(asked, said)).error).toBeUndefined();
  expect((await prompt).result).toEqual({ status: "finished" });
}

describe("an answer that does not fit (P-XAN-4)", () => {
  test.each(table)(
    "an answer that does not fit is refused, and the question stays open: %s",
    async (_, said, issues) => {
      const set = await asked3();
      expect(issuesOf(await set.one.answer(set.asked, said)).sort()).toEqual([...issues].sort());
      await corrected(set, { items: [...items, size] });
    },
  );

  test("a refusal names everything that is wrong with an answer at once, each with its question", async () => {
    const set = await asked3();
    const wrong = [
      { question_id: "colour", selected: ["red", "blue"] },
      { question_id: "extras", selected: ["horn"] },
      { question_id: "shape", selected: [] },
    ];
    const refusal = await set.one.answer(set.asked, { items: wrong, response: "approve" });
    expect(refusal.error?.message).toMatch(/^the answer does not fit: .*, and 4 more$/);
    const issues = issuesOf(refusal);
    expect(issues.sort()).toEqual([
      "colour too_many",
      "extras unknown_option",
      "null unexpected",
      "shape unknown_question",
      "size missing",
    ]);
    await corrected(set, { items: [...items, size] });
  });

  test("a refusal names own text that stands alone where only the options count", async () => {
    const set = await asked3();
    const own = { question_id: "size", selected: [], own_text: "huge" };
    const issues = issuesOf(await set.one.answer(set.asked, { items: [...items, own] }));
    expect(issues).toContain("size own_text");
    await corrected(set, { items: [...items, size] });
  });

  test("an answer with three images that are too large together is refused, each of them alone is not (P-XAN-6)", async () => {
    const set = await asked3();
    const images = [png(4 * MiB), png(4 * MiB), png(4 * MiB)];
    const codes = issuesOf(await set.one.answer(set.asked, { items: withImages(...images) }));
    expect(codes.every((code) => code.endsWith(" attachment"))).toBe(true);
    await corrected(set, { items: withImages(png(5 * MiB), png(5 * MiB)) });
  });

  test("a client cannot use features that it did not declare", async () => {
    const set = await asked3();
    const { client } = await meetExtended(set, { session: set.session }, { shows: {} });
    await client.asked("QuestionRequest");
    const used: [object, string][] = [
      [{ question_id: "colour", selected: [], skipped: true }, "skipped"],
      [{ ...colour, note: "like fire" }, "note"],
      [{ ...colour, attachments: [png(1)] }, "attachments"],
    ];
    for (const [item] of used) {
      const said = { items: [item, extras, size] };
      expect(issuesOf(await client.answer(set.asked, said))).toEqual(["colour not_negotiated"]);
    }
    await corrected(set, { items: [...items, size] });
  });

  test("a client can use features that it declared: each key by itself", async () => {
    for (const key of ["skip", "notes", "attachments"]) {
      const set = await asked3();
      const { client } = await meetExtended(set, { session: set.session }, { shows: { [key]: true } });
      await client.asked("QuestionRequest");
      const words = {
        skip: { selected: [], skipped: true },
        notes: { note: "so" },
        attachments: { attachments: [png(1)] },
      };
      const item = { ...colour, ...words[key as keyof typeof words] };
      expect((await client.answer(set.asked, { items: [item, extras, size] })).error).toBeUndefined();
      await set.prompt;
    }
  });
});

describe("an approval that is answered with what does not fit (P-XAN-4)", () => {
  test.each<[string, object, string[]]>([
    ["without a response", {}, ["null missing"]],
    ["with feedback alone", { feedback: "no" }, ["null missing"]],
    ["with items", { response: "approve", items }, ["null unexpected"]],
    ["with a response, but declined", { response: "approve", outcome: declined() }, ["null unexpected"]],
    ["with feedback, but declined", { feedback: "no", outcome: declined() }, ["null unexpected"]],
    [
      "with a reason, but answered",
      { response: "approve", outcome: { status: "answered", reason: "discuss" } },
      ["null unexpected"],
    ],
  ])("an approval that is answered with what does not fit stays open: %s", async (_, said, issues) => {
    const set = await twoAsked(() => [approval()]);
    expect(issuesOf(await set.one.answer(set.asked, said))).toEqual(issues);
    await corrected(set, { response: "approve" });
  });
});

test("an answer of a client that shows everything uses everything (P-XNG-2)", async () => {
  const set = await asked3();
  const { client } = await meetExtended(set, { session: set.session }, { shows: everything });
  await client.asked("QuestionRequest");
  const all = [
    { ...colour, note: "so", attachments: [png(3)] },
    { question_id: "extras", selected: [], skipped: true },
    size,
  ];
  expect((await client.answer(set.asked, { items: all })).error).toBeUndefined();
  await set.prompt;
});

test("an image is no answer by itself, and is one beside a choice or own text (P-XAN-6)", async () => {
  const set = await asked3();
  const alone = { question_id: "colour", selected: [], attachments: [png(3)] };
  const issues = issuesOf(await set.one.answer(set.asked, { items: [alone, extras, size] }));
  expect(issues).toEqual(["colour missing"]);
  await corrected(set, { items: [{ ...alone, own_text: "like this" }, extras, size] });
});
