import { describe, expect, test } from "vitest";
import { type AnswerParams, answerIssues } from "../src/index.js";
import { asked, declared } from "./asked.js";

const options = [{ label: "A" }, { label: "B" }];
const single = { question: "Which?", options };
const several = { ...single, multi_select: true };
const closed = { ...single, own_text: false };
const all = { skip: true, notes: true, attachments: true };
const image = (url: string) => ({ type: "image_url" as const, image_url: { url, id: null } });
const png = image("data:image/png;base64,iVBORw0KGgo=");

type Items = NonNullable<AnswerParams["items"]>;
const item = (selected: string[], more: object = {}): Items[number] => ({
  question_id: "q1",
  selected,
  ...more,
});

/** The issues of these items as the answer to these questions: `question_id: code`. */
function wrong(questions: Parameters<typeof asked>, items: Items | undefined, may = declared(all)): string[] {
  const answer = { ...said({ status: "answered" }), ...(items !== undefined && { items }) };
  const issues = answerIssues({ kind: "question", questions: asked(...questions) }, answer, may);
  for (const { message } of issues) expect(message).toMatch(/expected/);
  return issues.map(({ question_id, code }) => `${question_id}: ${code}`);
}
const said = (outcome: AnswerParams["outcome"], more: object = {}): AnswerParams => ({
  request_id: "r",
  answer_id: "a",
  outcome,
  ...more,
});

const typed = (type: string, more: object = {}) => ({
  question: "How?",
  options: [],
  field: { type, ...more },
});
const text = (own_text: string) => [item([], { own_text })];
const counted = { ...several, options: [...options, { label: "C" }], min: 2, max: 2 };

describe("an answer fits", () => {
  test.each<[string, object, Items]>([
    ["one option", single, [item(["q1_o2"])]],
    ["own text", single, [item([], { own_text: "mine" })]],
    ["several options and own text", several, [item(["q1_o2", "q1_o1"], { own_text: "mine" })]],
    ["an option of a closed choice", closed, [item(["q1_o1"])]],
    ["an option twice is one option", single, [item(["q1_o1", "q1_o1"])]],
    ["an option beside blank own text", closed, [item(["q1_o1"], { own_text: " " })]],
    ["own text of an open question", { question: "Why?", options: [] }, [item([], { own_text: "so" })]],
    ["a note and an image", single, [item(["q1_o1"], { note: "hm", attachments: [png] })]],
    ["a number within its bounds", typed("integer", { bounds: { min: 1 } }), text(" 0008 ")],
    ["a text that its pattern finds", typed("text", { pattern: "^v\\d" }), text("v2.1")],
    ["an option of a boolean", typed("boolean"), [item(["false"])]],
    ["the word for an option of a boolean", typed("boolean"), text("true")],
    ["as many choices as are wanted, own text counted", counted, [item(["q1_o1"], { own_text: "mine" })]],
  ])("an answer with %s fits (P-XAN-4)", (_, question, items) => {
    expect(wrong([question as typeof single], items)).toEqual([]);
  });

  test("an answer fits where a field is left empty that may be, also the only one, and whatever was negotiated (P-XFL-5)", () => {
    const optional = typed("date", { required: false });
    expect(wrong([optional], [item([], { skipped: true })], declared())).toEqual([]);
    expect(wrong([optional], [item([], { own_text: " " })], declared())).toEqual([]);
  });

  test("an answer with one question of two skipped fits, with a note or not (P-XAN-4, P-OUT-4)", () => {
    const second = { question_id: "q2", selected: ["q2_o1"] };
    expect(wrong([single, single], [item([], { skipped: true }), second])).toEqual([]);
    expect(wrong([single, single], [second, item([], { skipped: true, note: "later" })])).toEqual([]);
  });

  test("an answer with what says nothing fits where nothing was negotiated (P-XAN-4)", () => {
    const silent = item(["q1_o1"], { skipped: false, note: "", attachments: [] });
    expect(wrong([single], [silent], declared())).toEqual([]);
  });

  test("an answer with the members that a newer client adds fits (P-XNG-2)", () => {
    expect(wrong([single], [item(["q1_o1"], { confidence: 0.5 })])).toEqual([]);
  });
});

describe("an answer does not fit", () => {
  test.each<[string, string, object, Items | undefined]>([
    ["no items at all", "missing", single, undefined],
    ["no item for the question", "missing", single, []],
    ["an item that says nothing", "missing", single, [item([])]],
    ["a text of another type", "type", typed("integer"), text("many")],
    [
      "a value that is out of its bounds",
      "bounds",
      typed("date", { bounds: { max: "2026-01-01" } }),
      text("2026-2-1"),
    ],
    ["a value that its pattern does not find", "pattern", typed("text", { pattern: "^v" }), text("2")],
    ["a text too long for its pattern", "bounds", typed("text", { pattern: "a" }), text("a".repeat(1025))],
    ["blank text in a field", "blank", typed("text"), text(" ")],
    ["an option of a field without options", "unknown_option", typed("text"), [item(["q1_o1"])]],
    [
      "an option of a boolean and a text",
      "too_many",
      typed("boolean"),
      [item(["true"], { own_text: "false" })],
    ],
    ["fewer choices than are wanted", "too_few", counted, [item(["q1_o1"])]],
    ["more choices than are wanted", "too_many", counted, [item(["q1_o1", "q1_o2", "q1_o3"])]],
    [
      "a question that is not asked",
      "unknown_question",
      single,
      [item(["q1_o1"]), { ...item([]), question_id: "q9" }],
    ],
    [
      "a foreign name that all objects know",
      "unknown_question",
      single,
      [item(["q1_o1"]), { ...item([]), question_id: "__proto__" }],
    ],
    ["two items for one question", "repeated_question", single, [item(["q1_o1"]), item(["q1_o1"])]],
    ["a label in place of the id", "unknown_option", single, [item(["A"])]],
    ["another question's option", "unknown_option", single, [item(["q2_o1"])]],
    ["two options of a single choice", "too_many", single, [item(["q1_o1", "q1_o2"])]],
    [
      "an option and own text of a single choice",
      "too_many",
      single,
      [item(["q1_o1"], { own_text: "mine" })],
    ],
    ["own text that is not taken", "own_text", closed, [item([], { own_text: "mine" })]],
    [
      "own text that is not taken beside an option",
      "own_text",
      closed,
      [item(["q1_o1"], { own_text: "mine" })],
    ],
    ["blank own text", "blank", single, [item([], { own_text: " \t\n" })]],
    ["empty own text", "blank", several, [item([], { own_text: "" })]],
    [
      "an image that is somewhere else",
      "attachment",
      single,
      [item(["q1_o1"], { attachments: [image("https://x/y.png")] })],
    ],
    [
      "a text as an attachment",
      "attachment",
      single,
      [item(["q1_o1"], { attachments: [{ type: "text", text: "x" }] })],
    ],
  ])("an answer with %s does not fit: %s (P-XAN-4)", (_, code, question, items) => {
    const unknown = items?.[1]?.question_id;
    const place = code === "unknown_question" ? unknown : "q1";
    expect(wrong([question as typeof single], items)).toEqual([`${place}: ${code}`]);
  });

  test.each<[string, object]>([
    ["an option", item(["q1_o1"], { skipped: true })],
    ["own text", item([], { skipped: true, own_text: "mine" })],
    ["an image", item([], { skipped: true, attachments: [png] })],
  ])("an answer does not fit when a question is skipped and has %s too (P-XAN-4)", (_, skipped) => {
    const second = { question_id: "q2", selected: ["q2_o1"] };
    expect(wrong([single, single], [skipped as Items[number], second])).toEqual(["q1: skipped"]);
  });

  test("an answer does not fit when every question is skipped: that is declined (P-XAN-4)", () => {
    const skipped = [item([], { skipped: true }), { ...item([], { skipped: true }), question_id: "q2" }];
    expect(wrong([single, single], skipped)).toEqual(["null: nothing_answered"]);
  });

  test("an answer does not fit when it uses what client and server did not both declare (P-XAN-4, P-XNG-2)", () => {
    const second = { question_id: "q2", selected: ["q2_o1"] };
    const uses = {
      note: item(["q1_o1"], { note: "hm" }),
      skipped: item([], { skipped: true }),
      attachments: item(["q1_o1"], { attachments: [png] }),
    };
    const key = { note: "notes", skipped: "skip", attachments: "attachments" };
    for (const [field, used] of Object.entries(uses)) {
      const others = { ...all, [key[field as keyof typeof key]]: false };
      expect(wrong([single, single], [used, second], declared(others)), field).toEqual([
        "q1: not_negotiated",
      ]);
      expect(wrong([single, single], [used, second]), field).toEqual([]);
    }
    const both = item(["q1_o1"], { note: "hm", attachments: [png] });
    const answer = said({ status: "answered" }, { items: [both] });
    expect(answerIssues({ kind: "question", questions: asked(single) }, answer, declared())).toEqual([
      {
        question_id: "q1",
        code: "not_negotiated",
        message: "expected no note, no attachments: not declared by both sides",
      },
    ]);
  });

  test("an answer that does not fit is reported with everything that is wrong at once, question by question (P-XAN-4)", () => {
    const items = [
      { ...item(["q2_o9", "q2_o1"], { own_text: "mine", note: "hm" }), question_id: "q2" },
      { ...item([]), question_id: "q7" },
      item([], { own_text: " " }),
      item(["q1_o1"]),
    ];
    expect(wrong([single, closed, single], items, declared())).toEqual([
      "q1: repeated_question",
      "q1: blank",
      "q2: unknown_option",
      "q2: own_text",
      "q2: too_many",
      "q2: not_negotiated",
      "q3: missing",
      "q7: unknown_question",
    ]);
  });

  test("the message of an answer that does not fit names what was expected (P-XAN-4)", () => {
    const message = (question: typeof single, ...items: Items) =>
      answerIssues(
        { kind: "question", questions: asked(question) },
        said({ status: "answered" }, { items }),
        declared(),
      ).map((issue) => issue.message);
    expect(message(single)).toEqual(["items: expected one of the options or own text"]);
    expect(message(several, item([]))).toEqual(["expected one or more of the options or own text"]);
    expect(message(closed as typeof single, item([], { own_text: "x" }))).toEqual([
      "own_text: expected none, only one of the options",
    ]);
    expect(message(single, item(["C"]))).toEqual(['selected: expected "q1_o1", "q1_o2", found "C"']);
    expect(message({ question: "Why?", options: [] }, item(["C"]))).toEqual([
      'selected: expected nothing, since there are no options, found "C"',
    ]);
  });
});

describe("images", () => {
  const MiB = 1024 * 1024;
  const sized = (bytes: number) => image(`data:image/png;base64,${"A".repeat(Math.ceil((bytes * 4) / 3))}`);
  const withImages = (...attachments: object[]) => wrong([several], [item(["q1_o1"], { attachments })]);

  test.each([
    "data:image/png;base64,iVBORw0KGgo=",
    "data:image/svg+xml;charset=utf-8,%3Csvg%2F%3E",
    "DATA:IMAGE/JPEG;BASE64,AAAA",
    "data:image/webp;name=a.webp;base64,AA==",
  ])("images in the data URL %s are accepted (P-XAN-6)", (url) => {
    expect(withImages(image(url))).toEqual([]);
  });

  test.each([
    "",
    "data:",
    "data:,",
    "data:image/png",
    "data:image/png;base64,",
    "data:image/png;base64,====",
    "data:image/png;base64,not base64!",
    "data:image/;base64,AAAA",
    "data:text/html;base64,AAAA",
    "data:text/plain;x=image/png;base64,AAAA",
    " data:image/png;base64,AAAA",
    "https://example.org/data:image/png;base64,AAAA",
    "file:///etc/passwd",
  ])("images are not accepted in %j (P-XAN-6)", (url) => {
    expect(withImages(image(url))).toEqual(["q1: attachment"]);
  });

  test("images of 5 MiB each are accepted, larger ones are not (P-XAN-6)", () => {
    expect(withImages(sized(5 * MiB))).toEqual([]);
    expect(withImages(sized(5 * MiB + 1))).toEqual(["q1: attachment"]);
    expect(withImages(image(`data:image/svg+xml,${"x".repeat(5 * MiB + 1)}`))).toEqual(["q1: attachment"]);
  });

  test("images of 10 MiB together are accepted, over all questions of the answer; more are not (P-XAN-6)", () => {
    const items = (...sizes: number[][]): Items =>
      sizes.map((own, q) => ({
        question_id: `q${q + 1}`,
        selected: [`q${q + 1}_o1`],
        attachments: own.map(sized),
      }));
    expect(wrong([single, single], items([4 * MiB, 2 * MiB], [4 * MiB]))).toEqual([]);
    expect(wrong([single, single], items([4 * MiB, 2 * MiB], [4 * MiB, 1]))).toEqual(["q2: attachment"]);
    const third = items([4 * MiB, 2 * MiB], [4 * MiB, 1], [1]);
    expect(wrong([single, single, single], third)).toEqual(["q2: attachment"]);
    expect(withImages(sized(4 * MiB), sized(4 * MiB), sized(4 * MiB))).toEqual(["q1: attachment"]);
  });
});

describe("fields of another status or kind", () => {
  const question = { kind: "question" as const, questions: asked(single) };
  const approval = { kind: "approval" as const };
  const codes = (request: typeof question | typeof approval, answer: AnswerParams) =>
    answerIssues(request, answer, declared()).map(({ code, message }) => [code, message.split(":")[0]]);
  const items = [item(["q1_o1"])];

  test("everything but its outcome is unexpected in an answer that declines (P-XAN-4, P-XAN-2)", () => {
    for (const request of [question, approval]) {
      expect(codes(request, said({ status: "declined" }))).toEqual([]);
      expect(codes(request, said({ status: "declined", reason: "discuss", note: "why?" }))).toEqual([]);
      const full = said({ status: "declined" }, { items, response: "reject", feedback: "no" });
      expect(codes(request, full)).toEqual([
        ["unexpected", "items"],
        ["unexpected", "response"],
        ["unexpected", "feedback"],
      ]);
    }
  });

  test("the words of an approval are unexpected in an answer to a question (P-XAN-4)", () => {
    const full = said({ status: "answered" }, { items, response: "approve", feedback: "" });
    expect(codes(question, full)).toEqual([
      ["unexpected", "response"],
      ["unexpected", "feedback"],
    ]);
  });

  test("items are unexpected in an answer to an approval, and a missing response is reported (P-XAN-4)", () => {
    const approve = { response: "approve", feedback: "go" };
    expect(codes(approval, said({ status: "answered" }, approve))).toEqual([]);
    expect(codes(approval, said({ status: "answered" }, { ...approve, items: [] }))).toEqual([
      ["unexpected", "items"],
    ]);
    expect(codes(approval, said({ status: "answered" }, { items }))).toEqual([
      ["missing", "response"],
      ["unexpected", "items"],
    ]);
  });

  test("a reason that its status does not have is unexpected (P-XAN-2, P-XAN-4)", () => {
    const answered = said({ status: "answered", reason: "dismissed" }, { items });
    expect(codes(question, answered)).toEqual([["unexpected", "outcome.reason"]]);
    expect(codes(approval, said({ status: "declined", reason: "interrupted" }))).toEqual([
      ["unexpected", "outcome.reason"],
    ]);
  });
});
