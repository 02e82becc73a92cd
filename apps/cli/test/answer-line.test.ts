import type { CoreQuestion } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { readAnswerLine, readApprovalLine } from "../src/terminal/answer-line.js";
import { askedWords } from "../src/words/asked-words.js";

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
  readAnswerLine({ ...question, ...more }, line, askedWords.zh);
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
    ["1, 红，蓝", answers(["S"], "红，蓝")],
    ["错误是 1, 2, 3", answers([], "错误是 1, 2, 3")],
    ["1, 2, 9 more, 3", answers(["S", "M"], "9 more, 3")],
  ])("%s", (line, answer) => {
    expect(read(line)).toEqual(answer);
  });

  test("a wide number chooses where one may be chosen", () => {
    expect(read("２", { multi_select: false })).toEqual(answers(["M"]));
  });
});

test.each([
  ["", "不能提交空行。"],
  ["9", "请输入 1 到 3 之间的序号。"],
  ["/exit", "正在提问，/exit 不可用：请先用 /decline 拒绝；若要作为回答，请在前面加一个空格。"],
])("a line that is no answer is refused in Chinese: %j", (line, again) => {
  expect(read(line)).toEqual({ again });
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
  expect(readApprovalLine(line, askedWords.zh)).toEqual(answer);
});
