import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { keyNames } from "@askwire/client/form";
import { expect, test } from "vitest";
import { runProgram } from "./run-program.js";

const cwd = fileURLToPath(new URL("..", import.meta.url));

/** Runs the form on an agent and presses a key a line. Returns the output. */
async function fillIn(agent: readonly string[], ...keys: string[]) {
  const args = ["question-form.mjs", process.execPath, ...agent];
  const typed = keys.map((key) => `${key}\n`).join("");
  const { stdout, stderr, status } = await runProgram(process.execPath, args, { typed, cwd });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout;
}

const server = ["first-server.mjs"];
const asked = "Which database?\n> 1 [ ] SQLite\n  2 [ ] PostgreSQL\n  3 [ ] Other: |\n";

test("the form shows a question and where the cursor is, and sends what is chosen", async () => {
  expect(await fillIn(server, "down", "enter")).toBe(
    `${asked}Which database?\n  1 [ ] SQLite\n> 2 [ ] PostgreSQL\n  3 [ ] Other: |\nI set up PostgreSQL.\n`,
  );
});

test("own text is typed in its row, and blank text is refused", async () => {
  const printed = await fillIn(server, "tab", "enter", "a text", "space", "file", "left", "enter");
  expect(printed).toContain("> 3 [ ] Other: |\n! blank_text\n");
  expect(printed).toContain("> 3 [x] Other: a text fil|e\n");
  expect(printed).toContain("I set up a text file.\n");
});

test("the end of the input answers nothing, and nothing hangs", async () => {
  const args = ["question-form.mjs", process.execPath, ...server];
  const { stdout, stderr, status } = await runProgram(process.execPath, args, { typed: "", cwd });
  expect([stdout, stderr, status]).toEqual([asked, "The input has ended, so nobody here can answer.\n", 4]);
});

/** An agent that asks for checks and a license, and repeats the answers. */
const setUp = `
import { createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";
const options = (...labels) => labels.map((label) => ({ label }));
const questions = [
  { question: "Which checks?", header: "Checks", multi_select: true, options: options("Lint", "Types") },
  { question: "Which license?", header: "License", options: options("MIT", "Apache-2.0") },
];
const run = async (turn) => {
  const request = new QuestionRequest({ tool_call_id: turn.id, questions });
  wireSend(request);
  turn.say(Object.values(await request.wait()).join("; "));
};
await serveStdio(createServer({ agent: { run } }));
`;

test("several questions have tabs, and what stands in each is sent", async () => {
  const keys = ["1", "enter", "2", "enter", "tab", "2", "back_tab", "enter"];
  const printed = await fillIn(["--input-type=module", "--eval", setUp], ...keys);
  expect(printed).toContain(
    "[☐ Checks] ☐ License Review\nWhich checks?\n> 1 [x] Lint\n  2 [ ] Types\n  3 [ ] Other: |\n  4 Done\n",
  );
  expect(printed).toContain("✔ Checks [☐ License] Review\n");
  expect(printed).toContain("✔ Checks ✔ License [Review]\n> Submit\n  Cancel\n");
  expect(printed).toContain("[◐ Checks] ✔ License Review\n");
  expect(printed).toMatch(/\nLint, Types; Apache-2\.0\n$/);
});

test("docs/question-form.md names every key", () => {
  const page = readFileSync(new URL("../../docs/question-form.md", import.meta.url), "utf8");
  expect(keyNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
