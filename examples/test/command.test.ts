import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseQuestionnaire } from "@askwire/interview";
import { expect, test } from "vitest";
import { runProgram, temporaryFolder } from "./run-program.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const example = (name: string) => join(root, "examples", name);

/** Runs a program of Node's. */
const run = (
  args: readonly string[],
  { cwd = root, typed = "", home }: { cwd?: string; typed?: string; home?: string } = {},
) =>
  runProgram(process.execPath, args, {
    cwd,
    typed,
    env: { ...process.env, NO_COLOR: "1", ...(home === undefined ? {} : { ASKWIRE_HOME: home }) },
  });

const askwire = (args: readonly string[], options: { cwd?: string; typed?: string; home?: string }) =>
  run([join(root, "apps/cli/bin/askwire.js"), ...args], options);

test("the guide's questionnaire is valid", async () => {
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

test("the guide's script asks its question and continues", async () => {
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

test("the guide's agents are in the list, and its table has each shipped one", async () => {
  const home = await temporaryFolder();
  const rows = (text: string) => text.split("\n").filter((line) => line.includes(" shipped "));
  const guide = await readFile(join(root, "docs/guide.md"), "utf8");
  const shipped = rows((await askwire(["agents"], { cwd: home, home })).stdout);
  expect(shipped.length).toBeGreaterThan(5);
  for (const line of shipped) {
    const [name = "", , command = ""] = line.split(/ {2,}/);
    expect(guide).toMatch(new RegExp(`^\\| \`${name}\` \\| \`${command}\``, "m"));
  }
  await copyFile(example("named-agents.toml"), join(home, "config.toml"));
  const { stdout, status } = await askwire(["agents"], { cwd: home, home });
  expect(stdout).toContain("reviewer   user     node /home/ada/agents/reviewer.mjs  acp\n");
  expect(stdout).toContain("opencode   user     npx -y opencode-ai@1.18.30 acp\n");
  expect(rows(stdout)).toHaveLength(shipped.length - 1);
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

test("the capture in docs/captures shows what the command prints", async () => {
  const { stderr, status } = await run([join(root, "scripts/capture.mjs"), "--check"]);
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
