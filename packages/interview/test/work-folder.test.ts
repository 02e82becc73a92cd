import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planWrites } from "@askwire/agent/internal";
import { applyWrite, WorkFolderError } from "@askwire/agent/work-folder";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { maxFileBytes } from "../../agent/src/work-folder/inside.js";
import { readFacts } from "../src/facts.js";
import { parseQuestionnaire } from "../src/questionnaire.js";

let base: string;
let work: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "interview-")));
  work = join(base, "work");
  await mkdir(join(base, "other"));
  await mkdir(work);
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  const [plan] = await planWrites([{ path, text }], work);
  if (plan) await applyWrite(plan);
}

describe("a plan", () => {
  test("a plan shows the old and the new text, and what would not change", async () => {
    await writeFile(join(work, "old.txt"), "a\n");
    const plans = await planWrites(
      [
        { path: "old.txt", text: "b\n" },
        { path: "./new.txt", text: "c\n" },
      ],
      work,
    );
    expect(plans.map(({ old_text, new_text, changed }) => [old_text, new_text, changed])).toEqual([
      ["a\n", "b\n", true],
      [null, "c\n", true],
    ]);
    expect((await planWrites([{ path: "old.txt", text: "a\n" }], work))[0]?.changed).toBe(false);
    expect(await readdir(work)).toEqual(["old.txt"]);
  });

  test.each([
    ["../other/a", 'expected a path inside the work folder without ".."'],
    ["a/../../other/a", 'without ".."'],
    ["/tmp/a", "found the absolute path /tmp/a"],
    ["C:\\a", "found the absolute path"],
    ["..\\a", "with / between its parts"],
    ["", "expected a path inside the work folder"],
    ["a\0b", "expected a path inside the work folder"],
    [".", "leads outside the work folder"],
    ["away/a", "leads outside the work folder"],
    ["away/new/a", "leads outside the work folder"],
    ["nowhere/a", "a link on the way leads nowhere"],
    ["file-link", "leads outside the work folder"],
    [".git/hooks/pre-commit", "outside .git"],
    [".GIT/config", "outside .git"],
    ["hooks/pre-commit", "outside .git"],
    ["folder", "expected a regular file"],
    ["binary", "expected a readable text file in UTF-8"],
    ["large", `expected at most ${maxFileBytes} bytes`],
  ])("a plan of %j is refused", async (path, problem) => {
    await writeFile(join(base, "other", "secret"), "secret");
    await symlink(join(base, "other"), join(work, "away"));
    await symlink("missing", join(work, "nowhere"));
    await symlink("../other/secret", join(work, "file-link"));
    await mkdir(join(work, ".git", "hooks"), { recursive: true });
    await symlink(".git/hooks", join(work, "hooks"));
    await mkdir(join(work, "folder"));
    await writeFile(join(work, "binary"), Buffer.from([0xff, 0xfe, 0x00]));
    await writeFile(join(work, "large"), "x".repeat(maxFileBytes + 1));
    const plan = planWrites([{ path, text: "x" }], work);
    await expect(plan).rejects.toBeInstanceOf(WorkFolderError);
    await expect(plan).rejects.toThrow(problem);
  });

  test("a plan of two names for one file is refused", async () => {
    await mkdir(join(work, "a"));
    await symlink("a", join(work, "b"));
    const files = ["a/x", "b/x"].map((path) => ({ path, text: "x" }));
    await expect(planWrites(files, work)).rejects.toThrow("b/x: two files have this path");
  });
});

describe("a write", () => {
  test("a write makes the folders and leaves nothing else behind", async () => {
    await write(".github/workflows/ci.yml", "name: CI\n");
    expect(await readFile(join(work, ".github/workflows/ci.yml"), "utf8")).toBe("name: CI\n");
    expect(await readdir(join(work, ".github/workflows"))).toEqual(["ci.yml"]);
  });

  test("a write keeps the mode of the file it replaces", async () => {
    await writeFile(join(work, "run.sh"), "old");
    await chmod(join(work, "run.sh"), 0o750);
    await write("run.sh", "new");
    expect((await stat(join(work, "run.sh"))).mode & 0o777).toBe(0o750);
  });

  test("a write through a link inside the folder reaches the file and keeps the link", async () => {
    await writeFile(join(work, "real"), "old");
    await symlink("real", join(work, "link"));
    await write("link", "new");
    expect(await readFile(join(work, "real"), "utf8")).toBe("new");
    expect(await realpath(join(work, "link"))).toBe(join(work, "real"));
  });

  test("a write works in a folder that is itself a link", async () => {
    await symlink(work, join(base, "alias"));
    const [plan] = await planWrites([{ path: "a/b", text: "x" }], join(base, "alias"));
    if (plan) await applyWrite(plan);
    expect(await readFile(join(work, "a/b"), "utf8")).toBe("x");
  });

  test("a write is refused when its folder has become a link to elsewhere", async () => {
    await mkdir(join(work, "docs"));
    const [plan] = await planWrites([{ path: "docs/new/a", text: "x" }], work);
    await rm(join(work, "docs"), { recursive: true });
    await symlink(join(base, "other"), join(work, "docs"));
    await expect(applyWrite(plan ?? expect.fail())).rejects.toThrow(
      "docs/new/a: leads outside the work folder",
    );
    expect(await readdir(join(base, "other"))).toEqual([]);
  });

  test("a write is refused when its folder has become a link inside the work folder", async () => {
    await mkdir(join(work, "docs"));
    await mkdir(join(work, "src"));
    const [plan] = await planWrites([{ path: "docs/a", text: "x" }], work);
    await rm(join(work, "docs"), { recursive: true });
    await symlink("src", join(work, "docs"));
    await expect(applyWrite(plan ?? expect.fail())).rejects.toThrow("leads elsewhere than when it was shown");
    expect(await readdir(join(work, "src"))).toEqual([]);
  });

  test("a write is refused when the file has changed since it was shown", async () => {
    const [plan] = await planWrites([{ path: "a", text: "x" }], work);
    await writeFile(join(work, "a"), "somebody's");
    await expect(applyWrite(plan ?? expect.fail())).rejects.toThrow(
      "a: changed since its new text was shown",
    );
    expect(await readFile(join(work, "a"), "utf8")).toBe("somebody's");
  });

  test("a write below a file says that it cannot be written, without a machine path", async () => {
    await writeFile(join(work, "a"), "");
    await expect(write("a/b", "x")).rejects.toThrow(/^a\/b: cannot be written \(E\w+\): check its folder/);
  });
});

describe("facts", () => {
  async function read(facts: string): Promise<unknown> {
    const text = `askwire: interview/1\ntitle: T\nfacts: ${facts}\nquestions: [{ id: q, ask: q }]`;
    return readFacts(parseQuestionnaire(text, "q.yaml"), work);
  }

  test("facts are read in order, and null when absent", async () => {
    await writeFile(join(work, "a.json"), '\uFEFF{"name": "n"}');
    await writeFile(join(work, "a.txt"), " x\n");
    await writeFile(join(work, "blank"), "\n");
    await mkdir(join(work, "folder"));
    await writeFile(join(work, "folder", "b"), "");
    await writeFile(join(work, "folder", "a"), "");
    const facts = `
  json: { json: a.json }
  text: { text: a.txt }
  hollow: { text: blank }
  there: { exists: folder }
  folder: { folder: folder }
  derived: { value: " {{ json.name }}-{{ text }} " }
  nothing: { value: "{{ no_json.name }}" }`;
    const absent =
      "\n  no_json: { json: b.json }\n  no_text: { text: a.txt/b }\n  no_file: { exists: c }\n  no_folder: { folder: a.txt }";
    expect(await read(absent + facts)).toEqual({
      no_json: null,
      no_text: null,
      no_file: false,
      no_folder: null,
      json: { name: "n" },
      text: "x",
      hollow: null,
      there: true,
      folder: ["a", "b"],
      derived: "n-x",
      nothing: null,
    });
  });

  test.each([
    ["{ a: { json: bad.json } }", "q.yaml:3:21: facts.a.json: bad.json: expected valid JSON: "],
    ["{ a: { text: away/secret } }", "q.yaml:3:21: facts.a.text: away/secret: leads outside the work folder"],
    [
      "{ a: { exists: away/secret } }",
      "q.yaml:3:23: facts.a.exists: away/secret: leads outside the work folder",
    ],
    ["{ a: { folder: away } }", "q.yaml:3:23: facts.a.folder: away: leads outside the work folder"],
    ["{ a: { text: folder } }", "q.yaml:3:21: facts.a.text: folder: expected a regular file"],
    [
      '{ a: { value: "{% for i in (1..9999999) %}x{% endfor %}" } }',
      "q.yaml:3:22: facts.a.value: not valid Liquid: memory alloc limit",
    ],
  ])("facts that cannot be used are named: %s", async (facts, message) => {
    await writeFile(join(work, "bad.json"), "{");
    await mkdir(join(work, "folder"));
    await symlink(join(base, "other"), join(work, "away"));
    const error = await read(facts).then(
      () => expect.fail("expected an error"),
      (error: Error) => error,
    );
    expect(error.message.startsWith(message), error.message).toBe(true);
    expect(error.message).not.toContain("\n");
  });
});
