import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseQuestionnaire } from "@askwire/server/interview";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const example = (name: string) => join(root, "examples", name);

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "askwire-examples-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program of Node's and resolves with what it printed. */
async function run(
  args: readonly string[],
  { cwd = root, typed = "" }: { cwd?: string; typed?: string } = {},
) {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, NO_COLOR: "1" } });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end(typed);
  const status = await new Promise((resolve) => child.on("close", resolve));
  return { stdout, stderr, status };
}

const askwire = (args: readonly string[], options: { cwd?: string; typed?: string }) =>
  run([join(root, "apps/cli/bin/askwire.js"), ...args], options);

test("the guide's questionnaire is one", async () => {
  const text = await readFile(example("editorconfig.yaml"), "utf8");
  const { title, questions } = parseQuestionnaire(text, "editorconfig.yaml");
  expect(title).toBe("Add an .editorconfig");
  expect(questions.map(({ id }) => id)).toEqual(["indent", "spaces", "owner"]);
});

test("the guide's questionnaire writes the file that the answers ask for", async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, "package.json"), '{"name": "paint-shop"}');
  await writeFile(join(cwd, "Makefile"), "all:\n");
  const typed = "Spaces\n2\nAda\ny\n";
  const { stdout, status } = await askwire(["chat", "--interview", example("editorconfig.yaml")], {
    cwd,
    typed,
  });
  expect(stdout).toContain("I add an .editorconfig to paint-shop.");
  expect(stdout).toContain("Wrote .editorconfig.");
  expect(status).toBe(0);
  expect(await readFile(join(cwd, ".editorconfig"), "utf8")).toBe(
    "# Kept by Ada.\nroot = true\n\n[*]\nend_of_line = lf\nindent_style = space\nindent_size = 4\n\n[Makefile]\nindent_style = tab\n",
  );
});

test("the guide's script asks its question and goes on", async () => {
  const { stdout, status } = await askwire(
    ["chat", "--script", example("one-question.json"), "--prompt", "go"],
    {
      cwd: await temporaryFolder(),
      typed: "PostgreSQL\n",
    },
  );
  expect(stdout).toContain("One thing first.");
  expect(stdout).toContain("Which database?");
  expect(stdout).toContain("Thank you, I go on with that.");
  expect(status).toBe(0);
});

test("the command talks to the first server", async () => {
  const { stdout } = await askwire(
    ["chat", "--prompt", "go", "--", process.execPath, example("first-server.mjs")],
    {
      typed: "1\n",
    },
  );
  expect(stdout).toContain("I set up SQLite.");
});

test("the capture in docs/captures is what the command shows", async () => {
  const { stderr, status } = await run([join(root, "scripts/capture.mjs"), "--check"]);
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
