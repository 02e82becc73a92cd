import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientSuite, type Report } from "../src/index.js";
import { templates } from "../src/template.js";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const command = join(root, "packages/conformance-tests/bin/askwire-conformance.js");

/** The program that a template needs besides Node, and an argument with which the program ends at once. */
const needs: Readonly<Record<string, readonly [program: string, argument: string]>> = {
  python: ["python3", "--version"],
  go: ["go", "version"],
  rust: ["cargo", "--version"],
};

let work = "";
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "askwire-templates-"));
  await mkdir(join(work, "bin"));
  await symlink(command, join(work, "bin/askwire-conformance"));
});
afterAll(() => rm(work, { recursive: true, force: true }));

/** The environment of a person's shell: what `npx vitest` adds is not in it, and compilers use the machine's cache. */
const { XDG_CACHE_HOME: _cache, npm_command: _npx, ...env } = process.env;

/** Runs a line as a shell does. */
async function run(line: string, cwd: string): Promise<string> {
  const PATH = [join(work, "bin"), env.PATH].join(delimiter);
  const { stdout } = await execute("sh", ["-c", line], { cwd, env: { ...env, PATH }, maxBuffer: 1e9 });
  return stdout;
}

const writeTemplate = (...words: readonly string[]) =>
  execute(process.execPath, [command, "template", ...words], { cwd: work, env });

const claimed = new Set(["core", "questions", "approvals"]);
const claimedIds = clientSuite.checks.filter(({ level }) => claimed.has(level)).map(({ id }) => id);

describe.skipIf(process.platform === "win32")("the template of a client", () => {
  test.concurrent.for(Object.keys(templates))(
    "in %s is green at the levels that it claims, by the commands that are printed with it",
    async (language, { skip, expect }) => {
      const [program = process.execPath, argument = "--version"] = needs[language] ?? [];
      if (spawnSync(program, [argument]).status !== 0) skip(`${program} is not installed`);
      const { stdout } = await writeTemplate(language, language);
      const folder = join(work, language);
      const [enter, ...steps] = stdout.split("\n").flatMap((line) => /^ {2}(.*)/.exec(line)?.[1] ?? []);
      expect(enter).toBe(`cd ${language}`);
      const check = steps.pop() ?? "";
      for (const step of steps) {
        if (step.startsWith("npm install"))
          await symlink(join(root, "node_modules"), join(folder, "node_modules"));
        else await run(step, folder);
      }
      const options = "--json --timeout 60 --concurrency 4";
      const report: Report = JSON.parse(await run(check.replace(" -- ", ` ${options} -- `), folder));
      const green = report.results.filter(({ status }) => status === "passed").map(({ id }) => id);
      const needActs = report.results.filter(({ reason = "" }) => /takes no acts/.test(reason));
      expect([...green, ...needActs.map(({ id }) => id)].sort()).toEqual(claimedIds.toSorted());
    },
  );

  test("is written over no file that is there", async () => {
    const folder = join(work, "taken");
    await mkdir(folder);
    await writeFile(join(folder, "client.py"), "mine");
    await expect(writeTemplate("python", "taken")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("taken/client.py is already there; name another folder"),
    });
    expect(await readFile(join(folder, "client.py"), "utf8")).toBe("mine");
    expect(await readdir(folder)).toEqual(["client.py"]);
  });

  test.each([
    [[], "expected one of python, go, rust, typescript"],
    [["cobol"], "template cobol: expected one of python, go, rust, typescript"],
    [["python", "here", "there"], "expected one folder"],
  ])("of the words %j is wrong use", async (words, message) => {
    await expect(writeTemplate(...words)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });
});
