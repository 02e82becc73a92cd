import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { readAnswers } from "../src/ask/answers.js";
import { readQuestions } from "../src/ask/questions.js";
import { Failure } from "../src/failure.js";
import { askwire, colour, command, folderWith } from "./askwire.js";
import { openTerminal, type Terminal, type TerminalOptions } from "./terminal.js";

const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";
const size = { question: "Which sizes?", options: ["S", "M", "L"], multi_select: true };
const name = { question: "What is it called?" };

const asks = (...questions: readonly object[]) => JSON.stringify({ questions });

/** The one line that every run prints. */
function printed(stdout: string) {
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
  return JSON.parse(stdout);
}

/** Asks with questions and answers from files. */
async function fromFiles(questions: string, answers: unknown) {
  const text = typeof answers === "string" ? answers : JSON.stringify(answers);
  const cwd = await folderWith({ "q.json": questions, "a.json": text });
  return askwire(["ask", "--questions", "q.json", "--answers", "a.json"], { cwd });
}

describe("answers from a file", () => {
  test("are printed by question text and by ids, with who settled it", async () => {
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
  ])("may be %s", async (_what, question, answer, text) => {
    const { stdout, status } = await fromFiles(asks(question), { [question.question]: answer });
    expect(printed(stdout).answers).toEqual({ [question.question]: text });
    expect(status).toBe(0);
  });

  test("are printed as they were chosen, also where labels and own text look alike", async () => {
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

  test("a question that is missing is skipped", async () => {
    const { stdout, status } = await fromFiles(asks(colour, name), { "Which colour?": "Red" });
    const { answers, items } = printed(stdout);
    expect(answers).toEqual({ "Which colour?": "Red" });
    expect(items[1]).toEqual({ question_id: "q2", selected: [], skipped: true });
    expect(status).toBe(0);
  });

  test("if all are missing, it is declined", async () => {
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
  ])("%j is refused, with the place and what was expected", async (answer, problem) => {
    const { stdout, stderr, status } = await fromFiles(asks(colour), { "Which colour?": answer });
    expect(stderr).toBe(`askwire: a.json: ${problem}\n`);
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });

  test.each([
    ["[]", "expected an object, from the text of a question to its answer"],
    ["{", "expected JSON ("],
    ['{"Which color?": "Red"}', '["Which color?"]: no such question; expected "Which colour?"'],
  ])("the file %s is refused", async (answers, problem) => {
    const { stdout, stderr, status } = await fromFiles(asks(colour), answers);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(`askwire: a.json: ${problem}`);
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });

  test("a file that is not there is named", async () => {
    const { stderr, status } = await askwire(["ask", "--question", "Why?", "--answers", "none.json"]);
    expect(stderr).toBe("askwire: --answers none.json: no such file; check the path\n");
    expect(status).toBe(2);
  });
});

describe("questions", () => {
  test("come from flags", async () => {
    const cwd = await folderWith({ "a.json": '{"Which?": ["--x", "B"]}' });
    const flags = ["--question", "Which?", "--option", "--x", "--option", "B", "--header", "H", "--multi"];
    const { stdout, status } = await askwire(["ask", ...flags, "--answers", "a.json"], { cwd });
    expect(printed(stdout).answers).toEqual({ "Which?": "--x, B" });
    expect(status).toBe(0);
  });

  test("come from standard input", async () => {
    const cwd = await folderWith({ "a.json": '{"Which colour?": "Red"}' });
    const { stdout, status } = await askwire(["ask", "--answers", "a.json"], { cwd, input: asks(colour) });
    expect(printed(stdout).answers).toEqual({ "Which colour?": "Red" });
    expect(status).toBe(0);
  });

  const keys = "expected question, header, options, multi_select";
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
  ])("%s is refused in one line that names the place", async (questions, problem) => {
    for (const [source, run] of [
      ["standard input", askwire(["ask"], { input: questions })],
      ["q.json", fromFiles(questions, {})],
    ] as const) {
      const { stdout, stderr, status } = await run;
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(stderr).toContain(`askwire: ${source}: ${problem}`);
      expect(stdout).toBe("");
      expect(status).toBe(2);
    }
  });

  test.each([
    [["--question", "A?", "--question", "B?"], "ask: --question is given twice; several questions go into"],
    [["--question", "A?", "--questions", "q.json"], "ask: --question and --questions both say what to ask"],
    [["--option", "A"], "ask: --option needs --question TEXT"],
    [["--header", "A"], "ask: --header needs --question TEXT"],
    [["--multi"], "ask: --multi needs --question TEXT"],
    [["--question", " "], "--question: expected a text that is not blank"],
    [["--question", "A?", "--option", "x", "--option", " "], "--option number 2: expected a text"],
    [["--questions", "none.json"], "--questions none.json: no such file; check the path"],
  ])("%j is a wrong use", async (flags, problem) => {
    const { stdout, stderr, status } = await askwire(["ask", ...flags], { cwd: await folderWith() });
    expect(stderr).toContain(`askwire: ${problem}`);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });
});

/** Runs the command in a session of its own, which has no controlling terminal. */
function withoutTerminal(args: readonly string[]) {
  const child = spawn(process.execPath, [command, "ask", ...args], { detached: true });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ stdout: string; stderr: string; status: number | null }>((resolve) =>
    child.on("close", (status) => resolve({ stdout, stderr, status })),
  );
  return { child, ended };
}

describe("without a terminal", () => {
  test("and without answers it ends at once: nobody is there", async () => {
    // Standard input stays open: nothing waits for its end.
    const { stdout, stderr, status } = await withoutTerminal(["--question", "Deploy?"]).ended;
    expect(printed(stdout)).toMatchObject({
      outcome: { status: "unavailable", reason: "unattended", by: "policy" },
      answers: {},
      items: [],
    });
    expect(stderr).toBe(
      "askwire: ask: there is no terminal to ask at; give the answers with --answers FILE\n",
    );
    expect(status).toBe(4);
  });

  test("a line that cannot be written is a failure", async () => {
    const cwd = await folderWith({ "a.json": "{}" });
    const terminal = shell(`ask --question Why? --answers a.json >/dev/full; echo "exit $?"`, { cwd });
    const screen = await terminal.waitFor(/exit \d+/);
    expect(screen).toContain("askwire: standard output: ENOSPC");
    expect(screen).toContain("exit 1");
  });
});

const opened: Terminal[] = [];
afterEach(() => {
  for (const terminal of opened.splice(0)) terminal.close();
});

/** A shell script at a terminal, in which `ask` is the command. */
function shell(script: string, options: TerminalOptions): Terminal {
  const ask = `ask() { '${process.execPath}' '${command}' ask "$@"; }`;
  const terminal = openTerminal("/bin/sh", ["-c", `${ask}\n${script}`], options);
  opened.push(terminal);
  return terminal;
}

const PROMPT = "(/decline to decline) >";
const flags = "--question 'Which colour?' --option Red --option Blue";

describe("at the terminal", () => {
  test("the person is asked there, and the line follows", async () => {
    const terminal = shell(`ask ${flags} --header Colour; echo "exit $?"`, { columns: 400 });
    const asked = await terminal.waitFor(PROMPT);
    expect(asked).toContain("? Colour · Which colour?\n  1. Red\n  2. Blue\n");
    terminal.type("2\r");
    const screen = await terminal.waitFor(/exit \d+/);
    expect(screen).toMatch(/\n\{"outcome":\{"status":"answered".*"answers":\{"Which colour\?":"Blue"\}/);
    expect(screen).toContain("exit 0");
  });

  test("inside $(…) the prompts are on the terminal and the line alone is the value", async () => {
    const cwd = await folderWith();
    const terminal = shell(`x=$(ask ${flags}); echo "exit $?"; printf '%s\\n' "$x" >out`, { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("teal\r");
    const screen = await terminal.waitFor("exit 0");
    expect(screen).not.toContain("outcome");
    await terminal.ended;
    const { answers, items } = printed(await readFile(join(cwd, "out"), "utf8"));
    expect(answers).toEqual({ "Which colour?": "teal" });
    expect(items).toEqual([{ question_id: "q1", selected: [], own_text: "teal" }]);
  });

  test("with the questions piped in and the line piped out, keys still come from the terminal", async () => {
    const cwd = await folderWith({ "q.json": asks(colour, size, name) });
    const terminal = shell("cat q.json | ask | cat >out; echo finished", { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("blue\r");
    await terminal.waitFor(PROMPT, { times: 2 });
    terminal.type("1,3\r");
    await terminal.waitFor(PROMPT, { times: 3 });
    terminal.type("Ada's\r");
    await terminal.waitFor("finished");
    expect(printed(await readFile(join(cwd, "out"), "utf8")).answers).toEqual({
      "Which colour?": "Blue",
      "Which sizes?": "S, L",
      "What is it called?": "Ada's",
    });
  });

  test("answers typed ahead count, each for its question", async () => {
    const cwd = await folderWith({ "q.json": asks(colour, name) });
    const terminal = shell("ask <q.json >out; echo finished", { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("1\rAda's\r");
    const screen = await terminal.waitFor("finished");
    expect(screen).toMatch(/> Ada's\nfinished$/);
    const { answers } = printed(await readFile(join(cwd, "out"), "utf8"));
    expect(answers).toEqual({ "Which colour?": "Red", "What is it called?": "Ada's" });
  });

  test.each([
    ["/decline", "/decline\r"],
    ["Ctrl-D", "\u0004"],
  ])("%s declines", async (_what, keys) => {
    const cwd = await folderWith();
    const terminal = shell(`ask ${flags} >out; echo "exit $?"`, { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type(keys);
    expect(await terminal.waitFor(/exit \d+/)).toContain("exit 3");
    const { outcome } = printed(await readFile(join(cwd, "out"), "utf8"));
    expect(outcome).toMatchObject({ status: "declined", reason: "dismissed", by: "human" });
  });

  test.each([
    ["$(…)", `x=$(ask ${flags}); echo "exit $?"; printf '%s\\n' "$x" >out`],
    ["standard input and output", `ask ${flags} | tee out; echo "exit $(grep -c withdrawn out)30"`],
    ["pipes on both sides", 'cat q.json | ask >out; echo "exit $?"'],
  ])("Ctrl-C withdraws, and the script goes on: %s", async (_what, script) => {
    const cwd = await folderWith({ "q.json": asks(colour) });
    const terminal = shell(`stty -a >before; ${script}; stty -a >after; echo finished; cat`, { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("half");
    await terminal.waitFor("> half");
    terminal.type(CTRL_C);
    const screen = await terminal.waitFor("finished");
    expect(screen).toMatch(/> half\n\(no longer open: interrupted\)\n(\{"outcome.*\n)?exit 1?30\nfinished/);
    expect(printed(await readFile(join(cwd, "out"), "utf8"))).toMatchObject({
      outcome: { status: "withdrawn", reason: "interrupted", by: "human" },
      answers: {},
      items: [],
    });
    terminal.type("echoed?");
    await terminal.waitFor("echoed?");
    expect(await readFile(join(cwd, "after"), "utf8")).toBe(await readFile(join(cwd, "before"), "utf8"));
  });

  test.each(["TERM", "INT", "HUP"])("SIG%s withdraws and leaves the terminal as it was", async (signal) => {
    const cwd = await folderWith();
    const start = `'${process.execPath}' '${command}' ask ${flags}`;
    const script = `stty -a >before; sh -c "echo \\$\\$ >pid; exec ${start} >out"; echo "exit $?"; stty -a >after; echo finished`;
    const terminal = shell(script, { cwd });
    await terminal.waitFor(PROMPT);
    process.kill(Number(await readFile(join(cwd, "pid"), "utf8")), `SIG${signal}`);
    expect(await terminal.waitFor("finished")).toContain("exit 130");
    expect(printed(await readFile(join(cwd, "out"), "utf8")).outcome).toMatchObject({
      status: "withdrawn",
      reason: "interrupted",
    });
    expect(await readFile(join(cwd, "after"), "utf8")).toBe(await readFile(join(cwd, "before"), "utf8"));
  });

  test("Ctrl-Z stops the script with it, and both go on with what was typed", async () => {
    const cwd = await folderWith({ "script.sh": `x=$('${process.execPath}' '${command}' ask ${flags})` });
    const terminal = shell('set -m; sh script.sh; echo "stopped $?"; fg; echo "exit $?"', { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("te");
    await terminal.waitFor("> te");
    terminal.type(CTRL_Z);
    await terminal.waitFor(/stopped \d\d\d[\s\S]*> te$/);
    terminal.type("al\r");
    expect(await terminal.waitFor(/exit \d+/)).toMatch(/> teal\nexit 0/);
  });

  test("without a question it says what to give", async () => {
    const terminal = shell('ask; echo "exit $?"', { columns: 120 });
    expect(await terminal.waitFor(/exit \d+/)).toBe(
      "askwire: ask: no question: give --question TEXT or --questions FILE, or pipe one in\nexit 2",
    );
  });
});

test("an interrupt while the questions are still being read withdraws", async () => {
  const { child, ended } = withoutTerminal([]);
  // Far more than a pipe holds: written once the command has read most of it.
  await new Promise((resolve) => child.stdin.write(" ".repeat(8_000_000), resolve));
  child.kill("SIGTERM");
  const { stdout, stderr, status } = await ended;
  expect(printed(stdout)).toMatchObject({
    outcome: { status: "withdrawn", reason: "interrupted" },
    items: [],
  });
  expect(stderr).toBe("");
  expect(status).toBe(130);
});

describe("whatever the files hold", () => {
  const word = fc.constantFrom("A", "B", "C, D", "__proto__", "labels", "", 1, null);
  const value = fc.oneof(
    word,
    fc.array(word, { maxLength: 3 }),
    fc.record({ labels: fc.array(word), own_text: word }, { requiredKeys: [] }),
    fc.jsonValue(),
  );
  const question = fc.record(
    { question: word, header: word, options: fc.array(value, { maxLength: 3 }), multi_select: fc.boolean() },
    { requiredKeys: ["question"] },
  );

  /** What reading comes to; a mistake is a wrong use in one line that begins with the source, and nothing else. */
  function reading<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(/^f\.json: [^\n]+$/) });
      return undefined;
    }
  }

  test("questions are read whole or refused", () => {
    const file = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(question, { maxLength: 3 }).map((questions) => JSON.stringify({ questions })),
    );
    fc.assert(
      fc.property(file, (json) => {
        const questions = reading(() => readQuestions(json, "f.json"));
        if (questions === undefined) return;
        expect(questions.map(({ question }) => question)).toEqual(
          JSON.parse(json).questions.map(({ question }: { question: string }) => question),
        );
      }),
    );
  });

  test("answers name what there is or are refused", () => {
    const questions = ["A", "__proto__"].map((text, index) => ({
      id: `q${index}`,
      question: text,
      header: "",
      options: ["A", "C, D", "__proto__"].map((label) => ({ id: `o-${label}`, label, description: "" })),
      multi_select: index === 1,
      body: "",
      other_label: "",
      other_description: "",
      own_text: true,
    }));
    const file = fc
      .dictionary(fc.constantFrom("A", "__proto__", "A", "B"), value)
      .map((map) => JSON.stringify(map));
    fc.assert(
      fc.property(file, (json) => {
        const items = reading(() => readAnswers(questions, json, "f.json"));
        if (items === undefined) return;
        const given = JSON.parse(json);
        for (const [index, { question_id, selected, own_text, skipped }] of items.entries()) {
          const {
            id,
            question: text,
            options,
            multi_select,
          } = questions[index] as (typeof questions)[number];
          expect(question_id).toBe(id);
          expect(skipped === true).toBe(!Object.hasOwn(given, text));
          expect(skipped === true).toBe(selected.length === 0 && own_text === undefined);
          expect(options.map((option) => option.id)).toEqual(expect.arrayContaining(selected));
          if (!multi_select) expect(selected.length + (own_text === undefined ? 0 : 1)).toBeLessThan(2);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

test("--help shows how, with examples", async () => {
  const { stdout, status } = await askwire(["ask", "--help"]);
  expect(stdout).toMatch(/^Usage: askwire ask /);
  expect(stdout).toContain("Examples:\n  askwire ask --question");
  expect(status).toBe(0);
});
