import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { vectorFile, vectorPaths, vectorsFolder } from "../../../../scripts/vectors.js";
import { root, sources } from "../imports.js";

const frozenFolder = "wire-1.10/";
const paths = vectorPaths();
const read = (path: string) => readFileSync(join(vectorsFolder, path), "utf8").replaceAll("\r\n", "\n");
const readme = read("README.md");

describe.each(paths)("%s", (path) => {
  const { about, rules, frozen, cases } = vectorFile<{ readonly rule?: string }>(path);

  test("a file of vectors says what it is about, and follows from sentences of docs/protocol.md", () => {
    const page = readFileSync(join(root, "docs/protocol.md"), "utf8");
    expect(about).toMatch(/^[A-Z].*\.$/);
    expect(rules).not.toEqual([]);
    expect(rules.filter((rule) => !page.includes(`**${rule}**`))).toEqual([]);
  });

  test("a file of vectors has cases, each with its own name", () => {
    const names = cases.map(({ name }) => name);
    expect(names).not.toEqual([]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("a file of vectors names the sentence of each case among those of the file, or of none", () => {
    const named = cases.flatMap(({ rule }) => rule ?? []);
    expect([0, cases.length]).toContain(named.length);
    if (named.length > 0) expect([...new Set(named)].sort()).toEqual([...rules].sort());
  });

  test("a file of vectors is explained by the README, and read by a test", () => {
    const [, name = ""] = path.split("/");
    expect(readme).toContain(`| \`${name}\` |`);
    const tests = readdirSync(join(root, "packages")).flatMap((folder) => sources(`packages/${folder}/test`));
    const readers = tests.filter((file) => readFileSync(join(root, file), "utf8").includes(`"${path}"`));
    expect(readers).not.toEqual([]);
  });

  test("a file of vectors is dated if it is frozen, and only then", () => {
    if (path.startsWith(frozenFolder)) expect(frozen).toMatch(/^\d{4}-\d\d-\d\d$/);
    else expect(frozen).toBeUndefined();
  });
});

test("no frozen file has changed, and none has come or gone", () => {
  const listed = read(`${frozenFolder}SHA256SUMS`);
  const found = paths
    .filter((path) => path.startsWith(frozenFolder))
    .map((path) => {
      const sum = createHash("sha256").update(read(path)).digest("hex");
      return `${sum}  ${path.slice(frozenFolder.length)}\n`;
    })
    .join("");
  const advice = `${frozenFolder} is frozen: Kimi Wire 1.10 does not change, and others have run their code against these files.
Undo the change, and put new cases into askwire-draft/. Where a case contradicts Kimi Wire 1.10, correct it,
set "frozen" to the day, say in CHANGELOG.md which case was wrong, and list the sums anew:
cd packages/conformance-tests/vectors/wire-1.10 && sha256sum *.json > SHA256SUMS`;
  expect(found, advice).toBe(listed);
});

const python = ["python3", "python"].find((name) => spawnSync(name, ["--version"]).status === 0);

test.skipIf(python === undefined)("the program of the README runs unchanged", () => {
  const [, program = ""] = /```python\n([^`]+)```/.exec(readme) ?? [];
  const options = { cwd: vectorsFolder, input: program, encoding: "utf8" } as const;
  expect(execFileSync(python as string, ["-"], options)).toBe("as promised\n");
});
