import { terminalWords } from "@askwire/client/words";
import type { CoreQuestion, FieldType } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { readAnswerLine } from "../../src/terminal/answer-line.js";
import {
  approvalChoices,
  readApprovalLine,
  takesLine,
  withEdited,
} from "../../src/terminal/approval-answer.js";
import { answerHint } from "../../src/terminal/question-card.js";
import { approvalView } from "../panel/in-process/room.js";

const question: CoreQuestion = {
  id: "q1",
  question: "Which sizes?",
  header: "",
  options: ["S", "M", "大、中"].map((label) => ({ id: label, label, description: "" })),
  multi_select: true,
  body: "",
  other_label: "",
  other_description: "",
  own_text: true,
};
const read = (line: string, more: Partial<CoreQuestion> = {}) =>
  readAnswerLine({ ...question, ...more }, line, terminalWords.zh.asked);
const answers = (selected: string[], own_text?: string) => ({
  item: { question_id: "q1", selected, ...(own_text === undefined ? {} : { own_text }) },
});

describe("a line as an input method writes it", () => {
  test.each([
    ["1，2", answers(["S", "M"])],
    ["１、２", answers(["S", "M"])],
    ["2, 1", answers(["M", "S"])],
    ["大、中", answers(["大、中"])],
    ["大、中,1", answers(["大、中", "S"])],
    ["红、蓝", answers([], "红、蓝")],
    ["1, 红，蓝", answers([], "1, 红，蓝")],
    ["2, 3 weeks from now", answers([], "2, 3 weeks from now")],
    ["9", answers([], "9")],
    ["错误是 1, 2, 3", answers([], "错误是 1, 2, 3")],
    ["1, 2, 9 more, 3", answers([], "1, 2, 9 more, 3")],
  ])("the typed line %s is read as an input method writes it", (line, answer) => {
    expect(read(line)).toEqual(answer);
  });

  test("a number without an option is asked for again where no words are taken", () => {
    expect(read("9", { own_text: false })).toEqual({ again: "请输入 1 到 3 之间的序号。" });
    expect(read("1, 9", { own_text: false })).toEqual({ again: "请输入 1 到 3 之间的序号。" });
    expect(read("2²", { own_text: false, multi_select: false })).toEqual({ again: expect.any(String) });
  });

  test("a full-width number chooses an option where only one may be chosen", () => {
    expect(read("２", { multi_select: false })).toEqual(answers(["M"]));
  });
});

test.each([
  ["", "不能提交空行。"],
  ["/exit", "正在提问，/exit 不可用：请先用 /decline 拒绝；若要作为回答，请在前面加一个空格。"],
  ["/noask", "此处 /noask 不可用：请先用 /decline 拒绝；若要作为回答，请在前面加一个空格。"],
])("a line that is no answer is refused in Chinese: %j", (line, again) => {
  expect(read(line)).toEqual({ again });
});

describe("/empty, /prefill and /skip where they do not count", () => {
  const text = { type: "text" } as const;
  const needed: Partial<CoreQuestion> = { options: [], field: text };
  test.each<[string, string, Partial<CoreQuestion>]>([
    ["/empty", "at a choice", {}],
    ["/prefill", "at a choice", {}],
    ["/skip", "at a choice", {}],
    ["/skip", "at an open question", { options: [] }],
    ["/empty", "at a value that is needed", needed],
    ["/prefill", "at a value without one", needed],
    ["/skip", "at a value that may stay empty", { options: [], field: { ...text, required: false } }],
  ])("%s %s is not an answer", (word, _where, more) => {
    expect(read(word, more)).toEqual({ again: expect.stringContaining(`${word} 在此问题中不可用`) });
  });

  test("/empty, /prefill and /skip are answers after a blank, and where they count", () => {
    expect(read(" /empty", { options: [] })).toEqual(answers([], "/empty"));
    const optional: Partial<CoreQuestion> = {
      options: [],
      field: { ...text, required: false, prefill: "x" },
    };
    expect(read("/empty", optional)).toEqual({ item: { question_id: "q1", selected: [], skipped: true } });
    expect(read("/prefill", optional)).toEqual(answers([], "x"));
  });
});

test("the terminal's own commands are answers after a blank, and /noask ends the questions where it may (P-XDN-1)", () => {
  const one = { multi_select: false };
  expect(read(" /exit", one)).toEqual(answers([], "/exit"));
  expect(read(" /noask", one)).toEqual(answers([], "/noask"));
  expect(readAnswerLine(question, "/noask", terminalWords.en.asked, { noAsk: true })).toEqual({
    noAsk: true,
  });
});

test("own words that are not taken are refused in Chinese (P-XQS-1)", () => {
  const again = "只能从选项中选择：序号 1 到 3。";
  expect(read("XL", { own_text: false })).toEqual({ again });
  expect(read("XL", { own_text: false, multi_select: false })).toEqual({ again });
});

test.each([
  ["y", { reply: "approve" }],
  ["YES", { reply: "approve" }],
  ["ｙ", { reply: "approve" }],
  ["是", { reply: "approve" }],
  ["a", { reply: "approve_for_session" }],
  ["n not this", { reply: { response: "reject", feedback: "not this" } }],
  ["否 先备份", { reply: { response: "reject", feedback: "先备份" } }],
  ["/decline", { reply: "reject" }],
  ["也许", { again: "请输入 y、a 或 n。" }],
  ["yes but not now", { again: "请输入 y、a 或 n。" }],
  ["a minute please", { again: "请输入 y、a 或 n。" }],
  ["是 的", { again: "请输入 y、a 或 n。" }],
  ["wait a minute", { again: "请输入 y、a 或 n。" }],
])("an approval reads %s in any language", (line, answer) => {
  expect(readApprovalLine(line, approvalChoices(approvalView(), terminalWords.zh.asked))).toEqual(answer);
});

describe("a line for a field (P-XFL-3)", () => {
  const field = (type: FieldType, more: object = {}): Partial<CoreQuestion> => ({
    options: [],
    multi_select: false,
    field: { type, ...more },
  });
  const yesOrNo = {
    ...field("boolean"),
    options: ["true", "false"].map((id) => ({
      id,
      label: id === "true" ? "Enable" : "Leave",
      description: "",
    })),
  };
  const port = field("integer", { bounds: { min: 1, max: 65535 } });

  test.each<[string, Partial<CoreQuestion>, string]>([
    ["８０80", port, "8080"],
    ["2026/3/1", field("date"), "2026-03-01"],
    ["是", yesOrNo, "true"],
    ["no", yesOrNo, "false"],
    ["2", yesOrNo, "false"],
    ["enable", yesOrNo, "true"],
    ["/prefill", field("integer", { prefill: "+7" }), "7"],
    ["/prefill", { ...yesOrNo, ...{ field: { type: "boolean", prefill: "no" } } }, "false"],
  ])("a field's line %j is read in canonical form", (line, more, value) => {
    expect(read(line, more)).toEqual(answers([], value));
  });

  test.each<[string, Partial<CoreQuestion>, string]>([
    ["70000", port, "需要：整数，1 到 65535。"],
    ["soon", field("date"), "需要：日期（如 2026-03-01）。"],
    ["maybe", yesOrNo, "需要：是或否。"],
    ["3", yesOrNo, "请输入 1 到 2 之间的序号。"],
    ["", port, "不能提交空行。"],
    ["/empty", port, "需要：整数，1 到 65535。"],
    ["/prefill", port, "需要：整数，1 到 65535。"],
    ["", field("integer", { prefill: "+7" }), "不能提交空行。"],
  ])("a field's line %j is refused", (line, more, again) => {
    expect(read(line, more)).toEqual({ again });
  });

  test("a field is left empty, or takes its prefill, only by a command: an empty line is no answer (P-XFL-5, P-XFL-6)", () => {
    const optional = field("date", { required: false });
    expect(read("/empty", optional)).toEqual({ item: { question_id: "q1", selected: [], skipped: true } });
    expect(read("", optional)).toEqual({ again: "不能提交空行。" });
    expect(answerHint({ ...question, ...optional }, terminalWords.en.asked)).toBe(
      "a date such as 2026-03-01 (/empty to leave it empty, /decline to decline)",
    );
    expect(answerHint({ ...question, ...field("integer", { prefill: "7" }) }, terminalWords.zh.asked)).toBe(
      "请输入整数（/prefill 使用 7，/decline 拒绝回答）",
    );
  });
});

test("a line for a multiple choice needs as many options as are wanted (P-XFL-7)", () => {
  const two = { min: 2, max: 2 };
  expect(read("1, 2", two)).toEqual(answers(["S", "M"]));
  expect(read("1", two)).toEqual({ again: "需要：选 2 项。" });
  expect(read("1, 2, 3", two)).toEqual({ again: "需要：选 2 项。" });
});

describe("a line for an approval with options or a text to change", () => {
  const options = [
    { id: "staging", label: "Staging", kind: "allow" as const },
    { id: "production", label: "Production", kind: "allow" as const },
    { id: "no", label: "No", kind: "reject" as const },
  ];
  const edit = { content: "echo one", max_length: 100 };
  const choices = approvalChoices(approvalView({ options }), terminalWords.en.asked);

  test.each([
    ["2", { reply: { option: "production" } }],
    ["２", { reply: { option: "production" } }],
    ["3", { reply: { option: "no" } }],
    ["n not now", { reply: { option: "no", feedback: "not now" } }],
    ["y", { again: "Answer with one of these letters, or a number from 1 to 3." }],
    ["a", { again: "Answer with one of these letters, or a number from 1 to 3." }],
    ["4", { again: "Answer with one of these letters, or a number from 1 to 3." }],
    ["2 of them", { again: "Answer with one of these letters, or a number from 1 to 3." }],
    ["e echo two", { again: "Answer with one of these letters, or a number from 1 to 3." }],
  ])(
    "an approval's line %j is read by its options, and y is no answer where several options allow (P-XAO-1)",
    (line, answer) => {
      expect(readApprovalLine(line, choices)).toEqual(answer);
    },
  );

  test("an approval's options are listed with their numbers (P-XAO-1)", () => {
    expect([...choices.lines, choices.hint]).toEqual([
      "  1. Staging",
      "  2. Production",
      "  3. No",
      "a number, n [why]: no",
    ]);
  });

  test("n never picks an option that rejects further calls too, and nothing else is taken instead (P-XAO-10)", () => {
    const never = {
      id: "never",
      label: "Never",
      kind: "reject" as const,
      scope: { kind: "action", text: "every call" },
    };
    const letters = (rejects: (typeof options)[number][]) =>
      readApprovalLine(
        "n not now",
        approvalChoices(approvalView({ options: rejects }), terminalWords.en.asked),
      );
    expect(letters([never, ...options])).toEqual({ reply: { option: "no", feedback: "not now" } });
    expect(letters([never])).toEqual({ reply: { response: "reject", feedback: "not now" } });
  });

  test.each([
    ["e echo two", { edited: "echo two" }],
    ["e  echo  'a  b' ", { edited: "echo  'a  b'" }],
    ["e", { again: "Answer y, a or n." }],
    ["echo two", { again: "Answer y, a or n." }],
  ])("an approval's line %j changes a text of one line, and approves nothing (P-XAO-3)", (line, answer) => {
    expect(
      readApprovalLine(line, approvalChoices(approvalView({ edit }), terminalWords.en.asked), true),
    ).toEqual(answer);
  });

  test("a changed text goes with an answer that allows, and with no other (P-XAO-3)", () => {
    const view = approvalView({ options, edit });
    expect(withEdited(view, { option: "staging" }, "echo two")).toEqual({
      option: "staging",
      edited: "echo two",
    });
    expect(withEdited(view, { option: "no" }, "echo two")).toEqual({ option: "no" });
    expect(withEdited(view, { option: "staging" }, "echo one")).toEqual({ option: "staging" });
    expect(withEdited(approvalView({ edit }), "approve", "x")).toEqual({ response: "approve", edited: "x" });
    expect(withEdited(approvalView({ edit }), "reject", "x")).toBe("reject");
    expect([takesLine(view), takesLine(approvalView({ edit: { ...edit, content: "a\nb" } }))]).toEqual([
      true,
      false,
    ]);
  });
});
