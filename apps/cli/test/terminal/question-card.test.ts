import { terminalWords } from "@askwire/client/words";
import type { CoreQuestion } from "@askwire/protocol";
import { expect, test } from "vitest";
import { answerHint, questionCard } from "../../src/terminal/question-card.js";

const plain = (_style: string, text: string) => text;

const themes: CoreQuestion = {
  id: "q1",
  question: "Which theme?",
  header: "Theme",
  options: [
    { id: "day", label: "Day", description: "bright", preview: "```css\nbody { background: white }\n```\n" },
    { id: "night", label: "Night", description: "", recommended: true },
  ],
  multi_select: false,
  body: "",
  other_label: "",
  other_description: "",
  own_text: true,
};

const card = (question: CoreQuestion) =>
  questionCard(question, plain, terminalWords.en.asked, { planIsShown: false }).join("\n");

const withPreview = (preview: string) =>
  card({ ...themes, options: [{ id: "o", label: "Day", description: "", preview }] })
    .split("\n")
    .slice(2);

test("a preview stands below its option, indented further (P-XQS-3)", () => {
  expect(card(themes)).toBe(
    [
      "? Theme · Which theme?",
      "  1. Day  bright",
      "     │ ```css",
      "     │ body { background: white }",
      "     │ ```",
      "  2. Night (recommended)",
    ].join("\n"),
  );
});

test("own text has a row of its own if own words count (P-XQS-1)", () => {
  const placeholder = "Or your\nidea";
  expect(
    card({ ...themes, placeholder })
      .split("\n")
      .at(-1),
  ).toBe("  › Or your idea");
  expect(card({ ...themes, placeholder, own_text: false })).not.toContain("idea");
  expect(card({ ...themes, placeholder, options: [] })).not.toContain("idea");
});

test("a long preview shows its beginning and how much more there is (P-XQS-3)", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  expect(withPreview(lines.slice(0, 12).join("\n"))).toHaveLength(12);
  expect(withPreview(lines.join("\n"))).toEqual([
    ...lines.slice(0, 12).map((line) => `     │ ${line}`),
    "     │ … 8 more lines",
  ]);
  expect(withPreview(`${"x".repeat(5_000)}\ny`)).toEqual([
    `     │ ${"x".repeat(1_200)}…`,
    "     │ … 1 more line",
  ]);
  expect(withPreview(`${"x".repeat(1_199)}😀`)).toEqual([`     │ ${"x".repeat(1_199)}…`]);
});

test("a preview with Windows line ends shows the same lines (P-XQS-3)", () => {
  expect(withPreview("one\r\ntwo\r\n")).toEqual(withPreview("one\ntwo\n"));
});

test("a preview cannot move the cursor, and an empty one takes no line (P-XQS-3)", () => {
  expect(withPreview("a\u001b[2Jb")).toEqual(["     │ a\\u{1b}[2Jb"]);
  expect(withPreview(" \n")).toEqual([]);
});

test.each([
  ["a number", { own_text: true }, "a number, or your own words (/decline to decline)"],
  ["that nothing else counts", { own_text: false }, "a number, no other words (/decline to decline)"],
  ["several numbers", { multi_select: true }, "numbers with commas, or your own words (/decline to decline)"],
  ["an open answer", { options: [], placeholder: "A name" }, "your answer: A name (/decline to decline)"],
])("the way to answer stands beside the cursor: %s (P-XQS-1)", (_what, more, text) => {
  expect(answerHint({ ...themes, ...more }, terminalWords.en.asked)).toBe(text);
});

test("a Chinese card has Chinese marks, omissions and hints around an unchanged question", () => {
  const preview = Array.from({ length: 14 }, () => "x").join("\n");
  const options = [
    { id: "day", label: "Day", description: "", recommended: true, preview },
    { id: "night", label: "Night", description: "" },
  ];
  const question = { ...themes, options, default: ["day"] };
  const lines = questionCard(question, plain, terminalWords.zh.asked, { planIsShown: false });
  expect(lines.slice(0, 2)).toEqual(["? Theme · Which theme?", "  1. Day (推荐, 默认)"]);
  expect(lines.at(-2)).toBe("     │ … 还有 2 行");
  expect(answerHint(question, terminalWords.zh.asked)).toBe("输入序号，或直接写出回答（/decline 拒绝回答）");
  const open = { ...themes, options: [], placeholder: "A name" };
  expect(answerHint(open, terminalWords.zh.asked)).toBe("请回答：A name（/decline 拒绝回答）");
});
