import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type DialectName, dialects as table, toolDialects } from "@askwire/dialects";
import { describe, expect, test } from "vitest";
import { askwire, colourScript, folderWith, scriptedConfiguration } from "../askwire.js";
import { openAskwire } from "../terminal.js";
import { isEvent, isRequest, launch } from "../wire-process.js";

const script = (name: string) =>
  fileURLToPath(new URL(`../../../../examples/dialects/${name}.json`, import.meta.url));

const THANKS = "Thank you, I go on with that.";
const REFUSED = "The user denied this operation.";

/** The expected course of each dialect's script: the tool, the text for the model, and the end after a decline. */
const dialects = {
  kimi: {
    tool: "AskUserQuestion",
    chosen: { is_error: false, output: '{"answers": {"Which database?": "PostgreSQL"}}' },
    declined: { is_error: false, output: expect.stringContaining("User dismissed the question") },
    stops: false,
  },
  klaude: {
    tool: "AskUserQuestion",
    chosen: {
      is_error: false,
      output: expect.stringMatching(/^Question: Which database\?\nAnswer: PostgreSQL: A server of its own\n/),
      extras: expect.objectContaining({ status: "success" }),
    },
    declined: {
      is_error: false,
      output: "Question: Which database?\nAnswer: (User declined to answer questions)",
      extras: expect.objectContaining({ continue_agent: false }),
    },
    stops: true,
  },
  kilo: {
    tool: "ask_followup_question",
    chosen: { is_error: false, output: "<answer>\nPostgreSQL, a server of its own\n</answer>" },
    declined: { is_error: false, output: REFUSED },
    stops: false,
  },
  "kilo-xml": {
    tool: "ask_followup_question",
    chosen: { is_error: false, output: "<answer>\nPostgreSQL, a server of its own\n</answer>" },
    declined: { is_error: false, output: REFUSED },
    stops: false,
  },
  redc: {
    tool: "ask_user",
    chosen: { is_error: false, output: "PostgreSQL", extras: { success: true } },
    declined: { is_error: true, output: "用户未回答，操作已取消", extras: { success: false } },
    stops: false,
  },
} as const satisfies Record<DialectName, object>;
const names = Object.keys(table) as DialectName[];
const calling = Object.keys(toolDialects);

/** A process whose scripted model has asked in this dialect. */
async function asked(name: string) {
  const args = ["serve", "--stdio", "--dialect", name, "--script", script(name)];
  const wire = launch(args, { cwd: await folderWith() });
  const capabilities = { supports_question: true };
  await wire.call("initialize", { protocol_version: "1.10", client: { name: "raw" }, capabilities });
  const turn = wire.call("prompt", { user_input: "hello" });
  turn.catch(() => {});
  const { id, params } = await wire.seen(isRequest("QuestionRequest"));
  const questions = params?.payload.questions;
  const [question] = (questions ?? []) as { question: string; options: { label: string }[] }[];
  const answers = (value?: string) => (value === undefined ? {} : { [question?.question ?? ""]: value });
  return {
    question,
    /** Answers with a label, or declines. */
    async answer(label?: string) {
      wire.send({ jsonrpc: "2.0", id, result: { request_id: id, answers: answers(label) } });
      const { params: result } = await wire.seen(isEvent("ToolResult"));
      const { params: call } = await wire.seen(isEvent("ToolCall"));
      await turn;
      const said = wire.messages.filter(isEvent("ContentPart")).map((part) => part.params?.payload.text);
      return { told: result?.payload.return_value, call: call?.payload.function, said: said.join("") };
    },
  };
}

describe.each(names)("--dialect %s", (name) => {
  const { tool, chosen, declined, stops } = dialects[name];

  test("a person's choice reaches the model in the form of the dialect (P-DIA-4)", async () => {
    const { question, answer } = await asked(name);
    expect(question).toMatchObject({ question: "Which database?" });
    const { told, call, said } = await answer(question?.options[1]?.label);
    expect(told).toMatchObject(chosen);
    expect(call).toMatchObject({ name: tool });
    expect(said).toBe(`One thing first.${THANKS}`);
  });

  test("a refusal reaches the model in the form of the dialect, and ends the turn where the dialect says so (P-DIA-4)", async () => {
    const { answer } = await asked(name);
    const { told, said } = await answer();
    expect(told).toMatchObject(declined);
    expect(said).toBe(stops ? "One thing first." : `One thing first.${THANKS}`);
  });

  test("the same question is asked in a terminal, and answered with a number (P-DIA-2)", async () => {
    const args = ["chat", "--plain", "--prompt", "hello", "--dialect", name, "--script", script(name)];
    const terminal = openAskwire(args, { cwd: await folderWith() });
    const shown = await terminal.waitFor("(/decline to decline) >");
    expect(shown).toMatch(
      /^One thing first\.\n• Agent has a question for you(: Database)?\n\? (Database · )?Which database\?\n {2}1\. SQLite/m,
    );
    expect(shown).not.toMatch(/[{<]/);
    terminal.type("2\r");
    await terminal.waitFor(new RegExp(`\n {2}[↳↩] [^\n]+\n${THANKS.replaceAll(".", "\\.")}\n>$`));
  });

  test("the same question is asked through a pipe, whose end answers nothing", async () => {
    const args = ["chat", "--dialect", name, "--script", script(name)];
    const { stdout, stderr, status } = await askwire(args, { cwd: await folderWith(), input: "hello\n" });
    expect(stdout).toContain("Which database?\n");
    expect(stdout).not.toContain(THANKS);
    expect(stderr).toContain("nothing was decided");
    expect(status).toBe(4);
  });
});

test("a preview in klaude's dialect is shown below its option, and comes back with the choice (P-DIA-2)", async () => {
  const args = ["chat", "--dialect", "klaude", "--script", script("klaude")];
  const { stdout } = await askwire(args, { cwd: await folderWith(), input: "hello\n1\n" });
  expect(stdout).toContain("  1. SQLite  One file, no server\n     │ ```\n     │ app.db\n     │ ```\n  2. ");
});

test("several dialects are offered together, and a script asks in each", async () => {
  const [first] = JSON.parse(await readFile(script("kimi"), "utf8"));
  const [second] = JSON.parse(await readFile(script("redc"), "utf8"));
  const cwd = await folderWith({ "s.json": JSON.stringify([first, second, `text: ${THANKS}`]) });
  const args = ["chat", "--dialect", "kimi,redc", "--script", "s.json"];
  const { stdout, stderr } = await askwire(args, { cwd, input: "hello\n1\n2\n" });
  expect(stdout).toMatch(
    /• Agent has a question for you: Database\n[\s\S]*• Agent has a question for you\n[\s\S]*Thank you/,
  );
  expect(stderr).toBe("");
});

test("a script that calls another tool gets it, whatever the dialect", async () => {
  const write = JSON.stringify({ path: "ask_user.txt", content: "one\n" });
  const call = { id: "c1", name: "WriteFile", arguments: write };
  const cwd = await folderWith({
    "s.json": JSON.stringify([`tool_call: ${JSON.stringify(call)}`, "text: Done."]),
  });
  const args = ["chat", "--yolo", "--dialect", "redc", "--script", "s.json"];
  const { stdout } = await askwire(args, { cwd, input: "hello\n" });
  expect(stdout).toContain("ask_user.txt +1 -0\nDone.");
});

test("--dialect none leaves a model no tool to ask with", async () => {
  const cwd = await folderWith({ "s.json": colourScript });
  const args = ["chat", "--dialect", "none", "--script", "s.json"];
  const { stdout, status } = await askwire(args, { cwd, input: "hello\n" });
  expect(stdout).not.toContain("Which colour?");
  expect(stdout).toContain("Unknown tool");
  expect(status).toBe(0);
});

describe("an impossible --dialect", () => {
  const unknown = `expected ${[...names, ...calling].join(", ")}, or several with commas, or none alone`;
  test.each([
    [["chat", "--dialect", "klingon", "--script", "s.json"], `--dialect klingon: ${unknown}`],
    [["chat", "--dialect", "none,kimi", "--script", "s.json"], `--dialect none,kimi: ${unknown}`],
    [["chat", "--dialect", "constructor", "--script", "s.json"], `--dialect constructor: ${unknown}`],
    [["serve", "--stdio", "--dialect", "", "--script", "s.json"], `--dialect : ${unknown}`],
    [["--wire", "--dialect", "klingon"], `--dialect klingon: ${unknown}`],
    [
      ["chat", "--dialect", "kimi, klaude", "--script", "s.json"],
      "--dialect kimi, klaude: kimi and klaude both call their tool AskUserQuestion: leave one out",
    ],
    [
      ["--wire", "--dialect", "redc,kilo,kilo-xml"],
      "--dialect redc,kilo,kilo-xml: kilo and kilo-xml both call their tool ask_followup_question: leave one out",
    ],
    [["chat", "--dialect", "kilo"], "--dialect needs a model, and an interview has none: leave it out"],
    [
      ["serve", "--stdio", "--dialect", "kimi", "--interview", "i.yaml"],
      "--dialect needs a model, and an interview has none: leave it out",
    ],
    [
      ["chat", "--dialect", "kilo", "--", "node"],
      "chat: --dialect works only with askwire's own agents: leave it out",
    ],
    [
      ["chat", "--dialect", "kilo", "--connect", "ws://127.0.0.1:1/wire/x#y"],
      "chat: --dialect works only with askwire's own agents: leave it out",
    ],
  ])(
    "the impossible dialect of %j is refused in one line that says what to do, with exit code 2",
    async (args, line) => {
      const cwd = await folderWith({ "s.json": colourScript });
      const { stdout, stderr, status } = await askwire(args, { cwd, input: "hello\n" });
      expect(stderr).toBe(`askwire: ${line}\n`);
      expect(stdout).toBe("");
      expect(status).toBe(2);
    },
  );
});

test("the other dialects are in a file of their own, which is loaded only where one is named", async () => {
  const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
  const files = (await readdir(dist)).filter((file) => /^(askwire|chunk-(?!conformance))/.test(file));
  const holding = await Promise.all(
    files.map(async (file) => ((await readFile(`${dist}${file}`, "utf8")).includes(REFUSED) ? [file] : [])),
  );
  expect(holding.flat()).toEqual([expect.stringMatching(/^chunk-(?!base|serve|wire)/)]);
});

test("the help names every dialect", async () => {
  for (const command of ["chat", "serve"]) {
    const { stdout } = await askwire([command, "--help"]);
    const [, named = ""] =
      /--dialect <names> +how the model ([^;]+);/.exec(stdout.replace(/\n +/g, " ")) ?? [];
    expect(named).toBe(`asks (${names.join(", ")}) and calls (${calling.join(", ")}), or none`);
  }
});

test("--wire asks in the dialect that it is given", async () => {
  const folder = await folderWith();
  const configuration = scriptedConfiguration(script("redc"));
  const wire = launch(
    ["--wire", "--work-dir", folder, "--dialect", "redc", "--config", JSON.stringify(configuration)],
    { cwd: folder },
  );
  const capabilities = { supports_question: true };
  await wire.call("initialize", { protocol_version: "1.10", client: { name: "raw" }, capabilities });
  void wire.call("prompt", { user_input: "hello" }).catch(() => {});
  const { params } = await wire.seen(isRequest("QuestionRequest"));
  expect(params?.payload.questions).toMatchObject([{ question: "Which database?" }]);
});
