import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { templates, writeTemplate as writeCarried } from "../src/template.js";

const execute = promisify(execFile);
const command = fileURLToPath(new URL("../bin/askwire-conformance.js", import.meta.url));
const page = fileURLToPath(new URL("../../../docs/test-your-client.md", import.meta.url));

let work = "";
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "askwire-templates-"));
});
afterAll(() => rm(work, { recursive: true, force: true }));

/** Runs the command as `npx` does. */
const writeTemplate = (...words: readonly string[]) =>
  execute(process.execPath, [command, "template", ...words], {
    cwd: work,
    env: { ...process.env, npm_command: "exec" },
  });

describe("the template of a client", () => {
  test.each(Object.keys(templates))(
    "the template of a client in %s is printed with the commands of the page",
    async (language) => {
      const { stdout } = await writeTemplate(language, join(language, "client"));
      const [enter, ...steps] = stdout.split("\n").flatMap((line) => /^ {2}(.*)/.exec(line)?.[1] ?? []);
      const check = steps.pop()?.replace("--claims claims.txt", "--claim questions");
      expect(enter).toBe(`cd ${join(language, "client")}`);
      expect(await readFile(page, "utf8")).toContain([...steps, check].join("\n"));
    },
  );

  test("a template that its command carries in memory is written with its folders, and no other language's", async () => {
    const source = new Map(
      Object.entries({
        "rust/src/main.rs": "fn main() {}",
        "rust/Cargo.toml": "[package]",
        "go/main.go": "package",
      }).map(([path, text]) => [path, Buffer.from(text)]),
    );
    const folder = join(work, "carried");
    const told = await writeCarried("askwire conformance", { language: "rust", folder }, source);
    expect(told).toContain("Wrote src/main.rs, Cargo.toml.");
    expect((await readdir(folder, { recursive: true })).sort()).toEqual([
      "Cargo.toml",
      "src",
      join("src", "main.rs"),
    ]);
    expect(await readFile(join(folder, "src/main.rs"), "utf8")).toBe("fn main() {}");
  });

  test("the template of a client is written over no existing file", async () => {
    const folder = join(work, "taken");
    await mkdir(folder);
    await writeFile(join(folder, "client.py"), "mine");
    await expect(writeTemplate("python", "taken")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${join("taken", "client.py")} is already there; name another folder`),
    });
    expect(await readFile(join(folder, "client.py"), "utf8")).toBe("mine");
    expect(await readdir(folder)).toEqual(["client.py"]);
  });

  test.each([
    [[], "expected one of python, go, rust, typescript, lua, java, kotlin"],
    [["cobol"], "template cobol: expected one of python, go, rust, typescript, lua, java, kotlin"],
    [["python", "here", "there"], "expected one folder"],
  ])("the words %j after template are refused with what is wrong", async (words, message) => {
    await expect(writeTemplate(...words)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });
});
