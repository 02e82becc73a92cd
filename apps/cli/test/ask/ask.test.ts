import { QuestionRequest } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { answersOfFile } from "../../src/ask/answers.js";
import { readQuestions } from "../../src/ask/questions.js";
import { askwire, colour, folderWith } from "../askwire.js";
import { asks, name, printed, size } from "./asked.js";

/** Asks with questions and answers from files. */
async function fromFiles(questions: string, answers: unknown) {
  const text = typeof answers === "string" ? answers : JSON.stringify(answers);
  const cwd = await folderWith({ "q.json": questions, "a.json": text });
  return askwire(["ask", "--questions", "q.json", "--answers", "a.json"], { cwd });
}

/** The mistakes in the files, as the command reads these. A wrong use, whose line it prints, has the exit code 2. */
const refused = {
  questions: (json: string, source = "q.json") =>
    expect(() => readQuestions(json, source), "questions are refused"),
  answers: (json: string, ...asked: object[]) => {
    const questions = readQuestions(asks(...asked), "q.json");
    const request = new QuestionRequest({ tool_call_id: "ask", questions });
    return expect(() => answersOfFile(request.questions, json, "a.json"), "answers are refused");
  },
};
const wrongUse = (message: unknown) => expect.objectContaining({ exitCode: 2, message });

test("a mistake in a file is reported in one line on standard error, with exit code 2", async () => {
  const line = (text: string) => ({ stdout: "", stderr: `askwire: ${text}\n`, status: 2, signal: null });
  const answers = await fromFiles(asks(colour), { "Which colour?": {} });
  expect(answers).toEqual(line('a.json: ["Which colour?"].own_text: expected a text that is not blank'));
  const questions = asks({ question: " " });
  const problem = "questions[0].question: expected a text that is not blank";
  expect(await fromFiles(questions, {})).toEqual(line(`q.json: ${problem}`));
  expect(await askwire(["ask"], { input: questions })).toEqual(line(`standard input: ${problem}`));
});

describe("answers from a file", () => {
  test("answers from a file are printed by question text and by ids, with who settled the question", async () => {
    const { stdout, stderr, status } = await fromFiles(asks(colour, size, name), {
      "Which colour?": "Blue",
      "Which sizes?": { labels: ["L", "S"], own_text: "XXL, please" },
      "What is it called?": { own_text: "Ada's" },
    });
    expect(printed(stdout)).toEqual({
      outcome: {
        status: "answered",
        by: "policy",
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
      answers: {
        "Which colour?": "Blue",
        "Which sizes?": "S, L, XXL, please",
        "What is it called?": "Ada's",
      },
      items: [
        { question_id: "q1", selected: ["q1_o2"] },
        { question_id: "q2", selected: ["q2_o1", "q2_o3"], own_text: "XXL, please" },
        { question_id: "q3", selected: [], own_text: "Ada's" },
      ],
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test.each([
    ["a list of labels", size, ["M", "S"], "S, M"],
    ["one label where several may be chosen", size, "M", "M"],
    ["own text instead of a label", colour, { own_text: "Green" }, "Green"],
    ["a text for an open question", name, "Ada's", "Ada's"],
    ["one label in a list", colour, ["Red"], "Red"],
  ])("answers in a file may be %s", async (_what, question, answer, text) => {
    const { stdout, status } = await fromFiles(asks(question), { [question.question]: answer });
    expect(printed(stdout).answers).toEqual({ [question.question]: text });
    expect(status).toBe(0);
  });

  test("answers from a file are printed as they were chosen, even where labels and own text look alike", async () => {
    const parts = { question: "Which parts?", options: ["A", "B", "A, B"], multi_select: true };
    const { stdout } = await fromFiles(asks(parts, colour), {
      "Which parts?": { labels: ["A, B"], own_text: "B" },
      "Which colour?": { own_text: "Red" },
    });
    expect(printed(stdout)).toMatchObject({
      answers: { "Which parts?": "A, B, B", "Which colour?": "Red" },
      items: [
        { question_id: "q1", selected: ["q1_o3"], own_text: "B" },
        { question_id: "q2", selected: [], own_text: "Red" },
      ],
    });
  });

  test("a question without an answer in the file is skipped", async () => {
    const { stdout, status } = await fromFiles(asks(colour, name), { "Which colour?": "Red" });
    const { answers, items } = printed(stdout);
    expect(answers).toEqual({ "Which colour?": "Red" });
    expect(items[1]).toEqual({ question_id: "q2", selected: [], skipped: true });
    expect(status).toBe(0);
  });

  test("a file without any answer declines", async () => {
    const { stdout, status } = await fromFiles(asks(colour, name), {});
    expect(printed(stdout)).toMatchObject({
      outcome: { status: "declined", reason: "dismissed", by: "policy" },
      answers: {},
      items: [],
    });
    expect(status).toBe(3);
  });

  const which = '["Which colour?"]';
  const expected = 'expected "Red", "Blue" or {"own_text": TEXT}';
  test.each([
    ["Bleu", `${which}: "Bleu" is no option; ${expected}`],
    [["Red", "Blue"], `${which}: expected one label: only one may be chosen`],
    [["Bleu"], `${which}[0]: "Bleu" is no option; ${expected}`],
    [[], `${which}: expected at least one label; leave the question out to skip it`],
    [7, `${which}: ${expected}`],
    [null, `${which}: ${expected}`],
    [{}, `${which}.own_text: expected a text that is not blank`],
    [{ own_text: " " }, `${which}.own_text: expected a text that is not blank`],
    [{ labels: "Red" }, `${which}.labels: expected a list of labels`],
    [{ text: "Red" }, `${which}.text: no such key; expected labels or own_text`],
    [
      { labels: ["Red"], own_text: "ish" },
      `${which}: expected labels or own_text; both only where several may be chosen`,
    ],
  ])("the answer %j is refused, with its place and what was expected", (answer, problem) => {
    const answers = JSON.stringify({ "Which colour?": answer });
    refused.answers(answers, colour).toThrow(wrongUse(`a.json: ${problem}`));
  });

  test.each([
    ["[]", "expected an object, from the text of a question to its answer"],
    ["{", "expected JSON ("],
    ['{"Which color?": "Red"}', '["Which color?"]: no such question; expected "Which colour?"'],
  ])("a file of answers that holds %s is refused", (answers, problem) => {
    const inOneLine = expect.stringMatching(/^[^\n]+$/);
    refused.answers(answers, colour).toThrow(wrongUse(inOneLine));
    refused.answers(answers, colour).toThrow(`a.json: ${problem}`);
  });

  test("the error about a missing file of answers names it", async () => {
    const { stderr, status } = await askwire(["ask", "--question", "Why?", "--answers", "none.json"]);
    expect(stderr).toBe("askwire: --answers none.json: no such file; check the path\n");
    expect(status).toBe(2);
  });
});

describe("questions with fields", () => {
  const port = { question: "Which port?", field: { type: "integer", bounds: { min: 1, max: 65535 } } };
  const tls = { question: "With TLS?", field: { type: "boolean" }, options: [] };
  const from = { question: "From when?", field: { type: "date", required: false } };
  const two = { ...size, min: 2 };

  test("typed questions are answered from a file by values, which are printed in canonical form (P-XFL-3)", async () => {
    const { stdout, status } = await fromFiles(asks(port, tls, from, two), {
      "Which port?": 8080,
      "With TLS?": "Yes",
      "Which sizes?": ["S", "L"],
    });
    expect(printed(stdout).answers).toEqual({
      "Which port?": "8080",
      "With TLS?": "true",
      "Which sizes?": "S, L",
    });
    expect(status).toBe(0);
  });

  test.each<[string, object, unknown, string]>([
    ["a value of another type", port, "many", '["Which port?"]: expected a whole number from 1 to 65535'],
    ["too few choices", two, ["S"], '["Which sizes?"]: expected at least 2 choices, found 1'],
  ])("typed questions are not answered by %s", async (_what, question, answer, problem) => {
    const { question: text } = question as { question: string };
    const { stdout, stderr, status } = await fromFiles(asks(question), { [text]: answer });
    expect(stderr).toBe(`askwire: a.json: ${problem}\n`);
    expect([stdout, status]).toEqual(["", 2]);
  });

  test.each<[string, object]>([
    [
      "questions[0].field.bounds.min: expected a bound",
      { ...port, field: { type: "integer", bounds: { min: 3, max: 2 } } },
    ],
    [
      "questions[0].field.pattern: expected no reference",
      { ...port, field: { type: "text", pattern: "(a)\\1" } },
    ],
    ["questions[0].field: no such key", { ...port, field: { type: "text", minimum: 1 } }],
    ["questions[0].max: expected none", { ...port, max: 2 }],
  ])("typed questions that nobody could answer are refused: %s (P-XFL-2)", (problem, question) => {
    refused.questions(asks(question)).toThrow(`q.json: ${problem}`);
  });
});

describe("questions", () => {
  test("`ask` takes its questions from flags", async () => {
    const cwd = await folderWith({ "a.json": '{"Which?": ["--x", "B"]}' });
    const flags = ["--question", "Which?", "--option", "--x", "--option", "B", "--header", "H", "--multi"];
    const { stdout, status } = await askwire(["ask", ...flags, "--answers", "a.json"], { cwd });
    expect(printed(stdout).answers).toEqual({ "Which?": "--x, B" });
    expect(status).toBe(0);
  });

  test("`ask` takes its questions from standard input", async () => {
    const cwd = await folderWith({ "a.json": '{"Which colour?": "Red"}' });
    const { stdout, status } = await askwire(["ask", "--answers", "a.json"], { cwd, input: asks(colour) });
    expect(printed(stdout).answers).toEqual({ "Which colour?": "Red" });
    expect(status).toBe(0);
  });

  const keys = "expected question, header, body, options, multi_select";
  test.each([
    ["", 'expected JSON, {"questions": [{"question": TEXT}]}, but it is empty'],
    ["{", "expected JSON ("],
    ["[]", "expected object"],
    ["{}", "questions: expected array"],
    [asks(), "questions: expected at least one question"],
    [asks({}), "questions[0].question: expected string"],
    [asks({ question: " " }), "questions[0].question: expected a text that is not blank"],
    [asks({ question: "Q", options: "A" }), "questions[0].options: expected array"],
    [asks({ question: "Q", options: ["A", {}] }), "questions[0].options[1].label: expected string"],
    [asks({ question: "Q", options: ["A", 1] }), "questions[0].options[1]: expected object"],
    [asks({ question: "Q", options: ["A", ""] }), "questions[0].options[1].label: expected a text"],
    [
      asks({ question: "Q", options: ["A", "A"] }),
      'questions[0].options[1].label: expected another text than "A"',
    ],
    [asks(name, name), 'questions[1].question: expected another text than "What is it called?"'],
    [asks({ question: "Q", multi_select: "yes" }), "questions[0].multi_select: expected boolean"],
    [asks({ question: "Q", multiSelect: true }), `questions[0]: no such key as "multiSelect"; ${keys}`],
  ])("the questions %s are refused in one line that names the place", (questions, problem) => {
    const inOneLine = expect.stringMatching(/^[^\n]+$/);
    for (const source of ["standard input", "q.json"]) {
      refused.questions(questions, source).toThrow(wrongUse(inOneLine));
      refused.questions(questions, source).toThrow(`${source}: ${problem}`);
    }
  });

  test.each([
    [["--question", "A?", "--question", "B?"], "ask: --question is given twice; several questions go into"],
    [["--question", "A?", "--questions", "q.json"], "ask: --question and --questions both say what to ask"],
    [["--option", "A"], "ask: --option needs --question TEXT"],
    [["--header", "A"], "ask: --header needs --question TEXT"],
    [["--multi"], "ask: --multi needs --question TEXT"],
    [["--yes-no"], "ask: --yes-no needs --question TEXT"],
    [
      ["--question", "A?", "--yes-no", "--option", "x"],
      "ask: --yes-no has its own options: leave --option out",
    ],
    [["--question", " "], "--question: expected a text that is not blank"],
    [["--question", "A?", "--option", "x", "--option", " "], "--option number 2: expected a text"],
    [["--questions", "none.json"], "--questions none.json: no such file; check the path"],
  ])("`ask` %j is a usage error", async (flags, problem) => {
    const { stdout, stderr, status } = await askwire(["ask", ...flags], { cwd: await folderWith() });
    expect(stderr).toContain(`askwire: ${problem}`);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });
});

/** Asks one question of flags, with an answer from a file. */
async function fromFlags(flags: readonly string[], answers: unknown) {
  const cwd = await folderWith({ "a.json": JSON.stringify(answers) });
  return askwire(["ask", ...flags, "--answers", "a.json"], { cwd });
}
const sizes = ["--question", "Sizes?", "--option", "S", "--option", "M", "--option", "L", "--multi"];

describe("an answer for a script", () => {
  test.each([
    ["label", { labels: ["L", "S"], own_text: "XXL" }, "S\nL\nXXL\n", 0],
    ["id", { labels: ["L", "S"], own_text: "XXL" }, "q1_o1\nq1_o3\nXXL\n", 0],
    ["label", undefined, "", 3],
  ])(
    "--print %s prints what was chosen, a line each, and nothing without an answer: %j",
    async (form, answer, lines, code) => {
      const { stdout, status } = await fromFlags([...sizes, "--print", form], { "Sizes?": answer });
      expect([stdout, status]).toEqual([lines, code]);
    },
  );

  test.each([
    ["yes", 0],
    ["no", 10],
    [undefined, 3],
  ])("--yes-no has an exit code for %s", async (answer, code) => {
    const { stdout, status } = await fromFlags(["--question", "Go?", "--yes-no"], { "Go?": answer });
    expect(printed(stdout).outcome.status).toBe(answer === undefined ? "declined" : "answered");
    expect(status).toBe(code);
  });

  test("--print label of several questions is refused before anybody is asked", async () => {
    const { stderr, status } = await askwire(["ask", "--print", "label"], { input: asks(colour, name) });
    expect(stderr).toBe("askwire: ask: --print label prints one answer: ask one question, or print json\n");
    expect(status).toBe(2);
  });
});

test("`ask --help` shows its usage, with examples", async () => {
  const { stdout, status } = await askwire(["ask", "--help"]);
  expect(stdout).toMatch(/^Usage: askwire ask /);
  expect(stdout).toContain("Examples:\n  askwire ask --question");
  expect(status).toBe(0);
});
