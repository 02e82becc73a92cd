import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { endings } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import {
  asksLine,
  askwire,
  colour,
  colourScript,
  folderWith,
  nodeProject,
  type Run,
  workflow,
} from "../askwire.js";

const read = (folder: string, file: string) => readFile(join(folder, file), "utf8");
const isThere = (folder: string, file: string) =>
  read(folder, file).then(
    () => true,
    () => false,
  );

/** Runs the interview in a folder of its own, and answers it through a pipe. */
async function interviewed(input: string, ...args: string[]) {
  const cwd = await folderWith(nodeProject);
  return { cwd, ...(await askwire(["chat", ...args], { cwd, input })) };
}

/** Runs a scripted model in a folder of its own, and types this into the pipe. */
async function scripted(script: string, input = "hello\n", ...args: string[]) {
  const cwd = await folderWith({ "s.json": script });
  return { cwd, ...(await askwire(["chat", "--script", "s.json", ...args], { cwd, input })) };
}

/** A script whose model calls a tool once. */
const calls = (name: string, args: object) => {
  const call = { id: "c1", name, arguments: JSON.stringify(args) };
  return JSON.stringify([`tool_call: ${JSON.stringify(call)}`, "text: Done."]);
};

/** Expects a refusal in one line on standard error, with exit code 2. */
function expectRefusal({ stdout, stderr, status }: Run, line: RegExp) {
  expect(stderr).toMatch(line);
  expect([stdout, stderr.trimEnd().split("\n").length, status]).toEqual(["", 1, 2]);
}

describe("the shipped interview, answered through a pipe", () => {
  test("the interview's answers end in the workflow file, and the command says so", async () => {
    const { cwd, stdout, stderr, status } = await interviewed("1,2\nlint\n2\ny\n");
    expect(stderr).toBe("");
    expect(stdout).toContain("Which Node.js versions should CI use for demo?");
    expect(stdout).toContain("When should lint run?");
    expect(stdout).toContain("  +      - run: npm run lint\n");
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^Wrote \.github\/workflows\/ci\.yml\. /);
    const written = await read(cwd, workflow);
    expect(written).toContain('- "lts/*"\n          - "lts/-1"\n');
    expect(written).not.toContain("npm run test");
    expect(written).not.toContain("push:");
    expect(status).toBe(0);
  });

  test("--work-dir names the interview's folder where there is no command line", async () => {
    const cwd = await folderWith(nodeProject);
    const { status } = await askwire(["chat", "--work-dir", cwd], { input: "1\n1\n1\ny\n" });
    expect(await isThere(cwd, workflow)).toBe(true);
    expect(status).toBe(0);
  });

  test("--out names another file for the interview", async () => {
    const { cwd, stdout } = await interviewed("1\n1\n1\ny\n", "--out", "made/ci.yml");
    expect(await read(cwd, "made/ci.yml")).toContain("name: CI");
    expect(await isThere(cwd, workflow)).toBe(false);
    expect(stdout).toContain("Wrote made/ci.yml.");
  });

  const nobody = /^askwire: the input has ended, so nobody here can answer: nothing was decided\./;

  test.each<[string, string, RegExp, number]>([
    ["/decline at the first question is no failure", "/decline\n", /^$/, 0],
    ["/decline at a later question is no failure", "1\n1\n/decline\n", /^$/, 0],
    ["/decline at the approval is no failure", "1\n1\n1\n/decline\n", /^$/, 0],
    ["n at the approval is no failure", "1\n1\n1\nn not today\n", /^$/, 0],
    ["the end of the input at once is nobody's no", "", nobody, 4],
    ["the end of the input after a question is nobody's no", "1\n", nobody, 4],
    ["the end of the input at the approval is nobody's no", "1\n1\n1\n", nobody, 4],
  ])("%s: the command writes nothing, and says so", async (_what, input, said, code) => {
    const { cwd, stdout, stderr, status } = await interviewed(input);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("Nothing was written.");
    expect(await isThere(cwd, ".github")).toBe(false);
    expect(stderr).toMatch(said);
    expect(status).toBe(code);
  });

  test("an empty line, or blanks, makes the interview ask the same question again", async () => {
    const { cwd, stdout, status } = await interviewed("\n  \n1\n1\n1\nmaybe\ny\n");
    expect(stdout.split("An empty line is no answer.")).toHaveLength(3);
    expect(stdout).toContain("Answer y, a or n.");
    expect(await read(cwd, workflow)).toContain("npm run lint");
    expect(status).toBe(0);
  });

  test("labels in any case and own text count as answers, as numbers do", async () => {
    const { cwd } = await interviewed("previous lts\ntest, make e2e\nBy hand\na\n");
    const written = await read(cwd, workflow);
    expect(written).toContain('node-version: "lts/-1"');
    expect(written).toContain('- run: npm run test\n      - run: "make e2e"\n');
    expect(written).toContain("on:\n  workflow_dispatch:\n");
  });

  test("a last line without a line feed counts as an answer", async () => {
    const { cwd } = await interviewed("1\n1\n1\ny");
    expect(await isThere(cwd, workflow)).toBe(true);
  });

  test("a second run with the same answers has nothing to do", async () => {
    const { cwd } = await interviewed("1\n1\n1\ny\n");
    const { stdout, status } = await askwire(["chat"], { cwd, input: "1\n1\n1\n" });
    expect(stdout).toContain("Everything is up to date already. Nothing was written.");
    expect(status).toBe(0);
  });

  test("--yolo approves the interview's file and still asks the questions", async () => {
    const { cwd, stdout } = await interviewed("1\n1\n1\n", "--yolo");
    expect(stdout).toContain("Which scripts must pass?");
    expect(await isThere(cwd, workflow)).toBe(true);
  });

  test("--afk asks nobody and writes nothing", async () => {
    const { cwd, stdout, status } = await interviewed("1\n1\n1\ny\n", "--afk");
    expect(stdout).not.toContain("?");
    expect(stdout).toContain("Nothing was written.");
    expect(await isThere(cwd, workflow)).toBe(false);
    expect(status).toBe(0);
  });
});

describe("a custom questionnaire", () => {
  const greeting = [
    "askwire: interview/1",
    "title: Greeting",
    "questions:",
    "  - id: name",
    "    ask: Whom shall I greet?",
    "files:",
    "  - path: hello.txt",
    "    template: Hello, {{ name }}!",
  ].join("\n");

  test("--interview runs a custom questionnaire, whose open question takes own text", async () => {
    const cwd = await folderWith({ "greet.yaml": greeting });
    const input = "42 men\ny\n";
    const { stdout, status } = await askwire(["chat", "--interview", "greet.yaml"], { cwd, input });
    expect(stdout).toContain("Whom shall I greet?");
    expect(await read(cwd, "hello.txt")).toBe("Hello, 42 men!");
    expect(status).toBe(0);
  });

  test.each([
    [
      "five options",
      greeting.replace("greet?", "greet?\n    options: [a, b, c, d, e]"),
      /^askwire: bad\.yaml:6:14: questions\[0\]\.options: .*4/,
    ],
    [
      "an unknown key",
      greeting.replace("    ask:", "    hint: x\n    ask:"),
      /^askwire: bad\.yaml:4:5: questions\[0\]: unknown key "hint", expected one of /,
    ],
    [
      "another format",
      greeting.replace("interview/1", "interview/9"),
      /^askwire: bad\.yaml:1:10: askwire: .*interview\/1/,
    ],
    ["no YAML", "askwire: [", /^askwire: bad\.yaml:\d+:\d+: /],
    ["nothing at all", "", /^askwire: bad\.yaml.*: /],
  ])(
    "a questionnaire with %s is refused in one line that names the file, the place and what was expected",
    async (_what, text, line) => {
      const cwd = await folderWith({ "bad.yaml": text });
      expectRefusal(await askwire(["chat", "--interview", "bad.yaml"], { cwd }), line);
    },
  );

  test.each([
    ["--interview", "nope.yaml", "no such file; check the path"],
    ["--interview", ".", "a folder; name a file"],
    ["--script", "nope.json", "no such file; check the path"],
  ])("%s %s, which is no file to read, is named with the next step", async (option, name, why) => {
    const { stderr, status } = await askwire(["chat", option, name], { cwd: await folderWith() });
    expect([stderr, status]).toEqual([`askwire: ${option} ${name}: ${why}\n`, 2]);
  });
});

describe("a scripted model", () => {
  test("the first line of a pipe is the prompt, the next answers the question, and the conversation ends with the input", async () => {
    const { stdout, stderr, status } = await scripted(colourScript, "hello\nBlue\n");
    expect(stdout).toMatch(
      /^> \n[\s\S]*Colour · Which colour\?\n {2}1\. Red\n {2}2\. Blue {2}like the sea\n[\s\S]*Thanks\.\n> \n$/,
    );
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test("--prompt replaces the first line of the pipe", async () => {
    const { stdout, status } = await scripted(colourScript, "2\n", "--prompt", "hello");
    expect(stdout).toContain("Thanks.");
    expect(status).toBe(0);
  });

  test("a script's call of a tool works in the folder once it is approved", async () => {
    const script = calls("WriteFile", { path: "a.txt", content: "one\n" });
    const { cwd, stdout, status } = await scripted(script, "go\ny\n");
    expect(stdout).toContain("• WriteFile a.txt\n  @@ -0,0 +1,1 @@\n  +one\n");
    expect(stdout).toContain("  ↳ a.txt +1 -0\nDone.\n");
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\n");
    expect(status).toBe(0);
  });

  test("a plan is shown once, although its approval contains it too", async () => {
    const script = calls("ExitPlanMode", { plan: "# Do\n\n1. it" });
    const { stdout } = await scripted(script, "/plan\ngo\n1\n");
    expect(stdout).toMatch(/• ExitPlanMode\nPlan\n# Do\n\n1\. it\n\? Plan · Approve this plan\n {2}1\. /);
    expect(stdout).toContain("(plan mode is off)\n");
  });

  test("a pipe may hold slash commands, even one that only asks", async () => {
    const { stdout } = await scripted(colourScript, "/yolo\n");
    expect(stdout).toContain("Every action is approved without asking.");
  });

  test("/exit in a pipe ends the conversation", async () => {
    const { stdout, status } = await scripted(colourScript, "/exit\nhello\n");
    expect(stdout).toBe("> \n");
    expect(status).toBe(0);
  });

  test.each(["question", "approval"] as const)(
    "the end of a pipe at a %s is no answer, and leaves it open in the kept session (P-WHO-2)",
    async (kind) => {
      const script = kind === "question" ? colourScript : calls("Shell", { command: "true" });
      const cwd = await folderWith({ "s.json": script });
      const home = await folderWith();
      const { status } = await askwire(["chat", "--script", "s.json"], {
        ...{ cwd, env: { ASKWIRE_HOME: home }, input: "hello\n" },
      });
      const found = (await readdir(home, { recursive: true })).find((file) => file.endsWith("wire.jsonl"));
      const journal = await readFile(join(home, found ?? ""), "utf8");
      expect([journal.includes("InteractionSettled"), journal.includes("TurnSuspended")]).toEqual([
        false,
        true,
      ]);
      expect(["open", status]).toEqual([endings.pipe_end[kind].kept, endings.pipe_end.exit.chat]);
    },
  );

  test("the end of the input is no answer: the question stays open in the kept session, and exit code 4 says so", async () => {
    const cwd = await folderWith({ "s.json": colourScript });
    const env = { ASKWIRE_HOME: await folderWith() };
    const run = (input: string, ...args: string[]) =>
      askwire(["chat", "--script", "s.json", ...args], { cwd, env, input });
    const { stdout, stderr, status } = await run("hello\n");
    expect(stdout).toMatch(/Which colour\?[\s\S]* > \n$/);
    expect(stderr).toBe(
      "askwire: the input has ended, so nobody here can answer: nothing was decided. The session is kept, and asks again with --continue in a terminal\n",
    );
    expect(status).toBe(4);
    const again = await run("2\n", "--continue");
    expect(again.stdout).toContain("User answered\n");
  });

  test("several questions of one call are asked one after the other", async () => {
    const size = { question: "Which sizes?", multi_select: true, options: [{ label: "S" }, { label: "M" }] };
    const { stdout } = await scripted(
      JSON.stringify([asksLine([colour, size]), "text: Thanks."]),
      "hello\n1\n2,1\n",
    );
    expect(stdout).toMatch(/Which colour\?[\s\S]*Which sizes\?[\s\S]*User answered\nThanks\./);
  });

  test("a provider's error ends the conversation with one line and exit 1", async () => {
    const { stderr, status } = await scripted('["error: 400 it broke"]');
    expect(stderr).toMatch(/^askwire: .*it broke\n$/);
    expect(status).toBe(1);
  });

  test("a provider that is busy for a moment is tried again, and the wait keeps the program alive (P-STP-4)", async () => {
    const { stdout, status } = await scripted('["error: 503 busy", "text: There you are."]');
    expect(stdout).toContain("trying again");
    expect(stdout).toContain("There you are.");
    expect(status).toBe(0);
  });

  test.each([
    [
      "an unknown kind of line",
      '["text: a", "text: b\\nshout: c"]',
      /^askwire: s\.json: script 2, line 2: unknown kind "shout"/,
    ],
    ["a line without a colon", '["text"]', /^askwire: s\.json: script 1, line 1: expected "kind: payload"/],
    ["a script that is no text", '["text: a", 7]', /^askwire: s\.json: script 2: expected a string/],
    ["no array", "{}", /^askwire: s\.json: expected a JSON array of scripts/],
    ["no JSON, on several lines", "[\n'a'\n]", /^askwire: s\.json: expected a JSON array of scripts \(/],
    ["no JSON", "text: a", /^askwire: s\.json: expected a JSON array of scripts \(/],
  ])("%s is reported in one line that names the file, the script and the line", async (_what, text, line) => {
    expectRefusal(await scripted(text), line);
  });
});

test.each([
  [["--script", "s.json", "--interview", "i.yaml"], "--script and --interview"],
  [["--script", "s.json", "--out", "x"], "--out"],
  [["--script", "s.json", "--", "node"], "--script and -- COMMAND"],
  [["--interview", "i.yaml", "--", "node"], "--interview and -- COMMAND"],
])("chat %j names two sources, and one line says which to leave out", async (args, named) => {
  const cwd = await folderWith({ "s.json": colourScript });
  const { stderr, status } = await askwire(["chat", ...args], { cwd, input: "hello\n" });
  expect(stderr).toContain(named);
  expect(stderr).toContain("leave");
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(status).toBe(2);
});
