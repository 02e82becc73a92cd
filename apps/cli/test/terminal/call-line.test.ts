import { type ChatWords, terminalWords } from "@askwire/client/words";
import { expect, test } from "vitest";
import { columnsTaken, fitting } from "../../src/device/columns-taken.js";
import { CallLine } from "../../src/terminal/call-line.js";

const plain = (_style: string, text: string) => text;

interface Given {
  readonly tool?: string;
  readonly columns?: number;
  readonly card?: boolean;
  readonly words?: ChatWords;
}

/** The rows that stand after each piece of the arguments, and at the end. */
function rows(pieces: readonly string[], { tool = "AskUserQuestion", columns, ...given }: Given): string[] {
  const call = new CallLine(tool, plain, given.words ?? terminalWords.en.chat, columns);
  let row = "";
  const shown: string[] = [];
  const write = (text: string) => {
    for (const piece of text.split("\r\u001b[K").entries()) row = piece[0] === 0 ? row + piece[1] : piece[1];
    shown.push(row);
  };
  for (const piece of pieces) write(call.more(piece));
  if (!row.endsWith("\n")) write(call.end(given.card ?? false));
  return shown;
}

const two = {
  questions: [
    { question: "Which database?", header: "DB", options: [{ label: "SQLite" }] },
    { question: "Which port?", header: "Port", options: [{ label: "80" }] },
  ],
};
const whole = JSON.stringify(two);

test("a call's row shows the first question while it is written, then a title with the headers of all", () => {
  expect(rows([whole.slice(0, 30), whole.slice(30, 60), whole.slice(60)], { columns: 80 })).toEqual([
    "• AskUserQuestion Whi",
    "• AskUserQuestion Which database?",
    "• Agent has 2 questions for you: DB / Port",
    "• Agent has 2 questions for you: DB / Port\n",
  ]);
});

test("a call's title follows its name where no line can be redrawn, or replaces it if the call comes complete", () => {
  expect(rows([whole.slice(0, 30), whole.slice(30)], {}).at(-1)).toBe(
    "• AskUserQuestion Agent has 2 questions for you: DB / Port\n",
  );
  expect(rows([whole.slice(0, 30), whole.slice(30)], { card: true }).at(-1)).toBe("• AskUserQuestion\n");
  expect(rows([whole], {})).toEqual([
    "• Agent has 2 questions for you",
    "• Agent has 2 questions for you: DB / Port\n",
  ]);
});

test.each<[string, string, object, string]>([
  ["kimi", "AskUserQuestion", { questions: [{ question: "Which?", header: "", options: [] }] }, "Which?"],
  ["kilo", "ask_followup_question", { question: "Which?", follow_up: [{ text: "A" }] }, "Which?"],
  ["redc", "ask_user", { question: "Which?" }, "Which?"],
  ["a tool of another name", "clarify", { question: "Which\none?", choices: ["A"] }, "Which one?"],
])("a question without a header is in the title unless its card follows: %s", (_what, tool, args, text) => {
  const title = "• Agent has a question for you";
  expect(rows([JSON.stringify(args)], { tool, columns: 80 }).at(-1)).toBe(`${title}: ${text}\n`);
  expect(rows([JSON.stringify(args)], { tool, columns: 80, card: true }).at(-1)).toBe(`${title}\n`);
});

test("a call that only has an argument of the same name asks the person nothing", () => {
  const args = JSON.stringify({ question: "how to sort", limit: 3 });
  expect(rows([args], { tool: "search_docs", columns: 80 }).at(-1)).toBe("• search_docs how to sort\n");
  const odd = JSON.stringify({ questions: ["a", { question: 1 }] });
  expect(rows([odd], { columns: 80 }).at(-1)).toBe("• AskUserQuestion\n");
});

test("a call with long previews gets its title too", () => {
  const option = { label: "A", description: "", markdown: "x".repeat(20_000) };
  const long = JSON.stringify({ questions: [{ question: "Which?", header: "Look", options: [option] }] });
  const pieces = long.match(/.{1,4000}/g) ?? [];
  expect(rows(pieces, { columns: 80 }).at(-1)).toBe("• Agent has a question for you: Look\n");
  expect(rows([long], { columns: 80 }).at(-1)).toBe("• Agent has a question for you: Look\n");
});

test("a call's title is Chinese for a Chinese person", () => {
  expect(rows([whole], { columns: 80, words: terminalWords.zh.chat }).at(-1)).toBe(
    "• 智能体有 2 个问题想问你：DB / Port\n",
  );
});

test.each([40, 20, 12])("no row of a call still being written is wider than %i columns", (columns) => {
  const wide = JSON.stringify({
    questions: [{ question: "我应该用哪个数据库？👩‍💻", header: "数据库的选择", options: [] }],
  });
  for (let cut = 1; cut < wide.length; cut++) {
    const shown = rows([wide.slice(0, cut), wide.slice(cut)], { tool: "ask_user", columns });
    for (const row of shown.slice(0, -1)) expect(columnsTaken(row)).toBeLessThan(columns);
    expect(shown.at(-1)).toBe("• Agent has a question for you: 数据库的选择\n");
  }
});

test("a tool with a blank name, or a name that fills the row, leaves no escape sequence behind", () => {
  expect(rows(["{}"], { tool: " " })).toEqual(["•\n"]);
  expect(rows([whole.slice(0, 40), whole.slice(40)], { tool: "x".repeat(50), columns: 40 }).at(-1)).toBe(
    `• ${"x".repeat(50)} Agent has 2 questions for you: DB / Port\n`,
  );
});

test("columns are counted as a terminal draws them: wide, joined and combining characters, tabs", () => {
  expect(["a", "数据", "👩‍💻", "e\u0301", "ﾊ", "한", "…", "\t"].map(columnsTaken)).toEqual([
    1, 4, 2, 1, 1, 2, 2, 8,
  ]);
  expect(fitting("数据库", 5)).toBe("数据");
  expect(fitting("a👩‍💻b", 2)).toBe("a");
  expect(fitting("e\u0301e\u0301", 1)).toBe("e\u0301");
});
