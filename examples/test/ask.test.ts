import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runProgram, temporaryFolder } from "./run-program.js";

const script = fileURLToPath(new URL("../ask.sh", import.meta.url));

/** Runs the script where there is no terminal, with answers if they are given. */
async function run(answers?: object) {
  const cwd = await temporaryFolder();
  const file = join(cwd, "answers.json");
  await writeFile(file, JSON.stringify(answers ?? {}));
  const args = [script, ...(answers === undefined ? [] : ["--answers", file])];
  return runProgram("/bin/sh", args, { cwd, detached: true });
}

const part = "Which part of the version goes up?";
const places = "Where is it announced?";

test.each([
  [{ [part]: "Minor", [places]: ["Chat", "Mail"] }, "Minor release, announced by: Mail, Chat.\n"],
  [{ [part]: { own_text: "Major" } }, "Major release, announced by: nobody.\n"],
  [{}, "Then there is no release.\n"],
])("the guide's shell script continues with the answers %j", async (answers, said) => {
  const { stdout, stderr, status } = await run(answers);
  expect(stdout).toBe(said);
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

test("the guide's shell script says that nobody can be asked, and stops", async () => {
  const { stdout, stderr, status } = await run();
  expect(stdout).toBe("");
  expect(stderr).toContain("Nobody could be asked, so there is no release.\n");
  expect(status).toBe(1);
});

test("an invalid answer stops the guide's shell script", async () => {
  const { stdout, stderr, status } = await run({ [part]: "Huge" });
  expect(stdout).toBe("");
  expect(stderr).toContain(`["${part}"]: "Huge" is no option; expected "Patch", "Minor"`);
  expect(status).toBe(2);
});
