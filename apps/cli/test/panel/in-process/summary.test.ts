import { terminalWords } from "@askwire/client/words";
import { coreQuestion } from "@askwire/protocol";
import { expect, test } from "vitest";
import { paintFor } from "../../../src/device/paint.js";
import { questionSummary } from "../../../src/panel/summary.js";

const paint = paintFor({}, {});
const more = { header: "", body: "", other_label: "", other_description: "" };
const asks = (question: string, index: number, multi_select = false) =>
  coreQuestion(
    {
      ...more,
      question,
      multi_select,
      options: [
        { label: "Red, dark", description: "" },
        { label: "Blue", description: "like\nthe sea" },
      ],
    },
    index,
  );
const questions = [asks("Which\ncolours?", 0, true), asks("And then?", 1)];

test("every chosen option has its line with its description, and own words have theirs", () => {
  const items = [
    { question_id: "q1", selected: ["q1_o1", "q1_o2"], own_text: " and \u202egreen\n" },
    { question_id: "q2", selected: ["q2_o2"] },
  ];
  expect(questionSummary(questions, items, paint, terminalWords.en.asked)).toEqual([
    "● Which colours?",
    "  → Red, dark",
    "  → Blue · like the sea",
    "  → and \\u{202e}green",
    "● And then?",
    "  → Blue · like the sea",
  ]);
});

test("a skipped question says so, and so do declined ones", () => {
  const items = [{ question_id: "q2", selected: ["q2_o1"] }];
  expect(questionSummary(questions, items, paint, terminalWords.en.asked)).toEqual([
    "○ Which colours?",
    "  → not answered",
    "● And then?",
    "  → Red, dark",
  ]);
  expect(questionSummary(questions, "declined", paint, terminalWords.zh.asked)).toEqual([
    "○ Which colours?",
    "○ And then?",
    "  → 已拒绝回答",
  ]);
});
