import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runProgram } from "./run-program.js";

const example = fileURLToPath(new URL("../user-interactions.mjs", import.meta.url));

const asked = "Which format?\n  1 HTML\n  2 PDF\n";
const approved = "Publishes the notes\n  1 Approve\n  2 Approve for this session\n  3 Reject\n";
const ended = "The turn is finished, with 0 open.\n";

test.each([
  ["a number and an approval", "2\n1\n", asked + approved + ended],
  ["own words and a rejection", "Markdown\n3\n", asked + approved + ended],
  ["nothing: the turn ends with the question", "\n", asked + ended],
])("a program without a client answers its agent with %s", async (_, typed, said) => {
  const { stdout, stderr, status } = await runProgram(process.execPath, [example], { typed });
  expect(stdout).toBe(said);
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

test("the end of the input answers nothing, and ends the program", async () => {
  const { stdout, stderr, status } = await runProgram(process.execPath, [example], { typed: "" });
  expect([stdout, stderr, status]).toEqual([asked, "The input has ended, so nobody here can answer.\n", 4]);
});

test("docs/user-interactions.md says what is done, what is not, what to build on, and where approvals enter", () => {
  const page = readFileSync(new URL("../../docs/user-interactions.md", import.meta.url), "utf8");
  for (const heading of ["What is done", "What is not", "Approvals", "What to build on"]) {
    expect(page).toContain(`\n## ${heading}\n`);
  }
  expect(page).toMatch(/`requireApproval`[^.]*is the one place/);
});
