import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { idsOf, testFiles, titlesIn } from "./test-titles.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(join(root, "docs/requirements.md"), "utf8");

/** The letter of each dialect's ids, and how many there are. */
const groups = [
  { dialect: "kimi", letter: "K", count: 44 },
  { dialect: "klaude", letter: "L", count: 49 },
  { dialect: "kilo", letter: "F", count: 28 },
  { dialect: "redc", letter: "U", count: 33 },
  { dialect: "adp", letter: "P", count: 31 },
] as const;
const allowed = [
  "test",
  "not ours: text of another product's UI",
  "not ours: guidance to a model",
  "not ours: resolved otherwise in §6",
];
const mostNotOurs = 20;

const cells = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The rows under the heading of a dialect. */
function rowsOf(dialect: string) {
  const [, after = ""] = page.split(`\n## ${dialect}\n`);
  const [section = ""] = after.split("\n## ");
  const [head = "", , ...lines] = section.split("\n").filter((line) => line.startsWith("|"));
  expect(cells(head), dialect).toEqual(["id", "what", "status", "where"]);
  return lines.map((line) => {
    const [id = "", what = "", said = "", where = "", ...more] = cells(line);
    const status = said.replaceAll("`", "");
    expect(more, `${id}: cells too many`).toEqual([]);
    return { id, what, status, tests: where === "" ? [] : where.split("<br>") };
  });
}

const rows = groups.flatMap(({ dialect }) => rowsOf(dialect));
const files = testFiles(root, ["packages", "apps", "examples"]);

describe("docs/requirements.md", () => {
  test("docs/requirements.md has a row for each id, once and in its order", () => {
    const ids = groups.flatMap(({ letter, count }) =>
      Array.from({ length: count }, (_, index) => `${letter}-${String(index + 1).padStart(2, "0")}`),
    );
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(rows.filter(({ what }) => what === "")).toEqual([]);
  });

  test("docs/requirements.md explains each status that a row has, and every row has one: none is open", () => {
    const explained = [...page.matchAll(/^\| `([a-z][^`]*)` \|/gm)].map(([, status]) => status);
    expect([...explained].sort()).toEqual([...new Set(rows.map(({ status }) => status))].sort());
    const strange = rows.filter(({ status }) => !allowed.includes(status));
    expect(strange.map(({ id, status }) => `${id}: ${status}`)).toEqual([]);
  });

  test(`docs/requirements.md leaves out at most ${mostNotOurs} as not ours`, () => {
    const left = rows.filter(({ status }) => status.startsWith("not ours"));
    expect(left.length, left.map(({ id }) => id).join(", ")).toBeLessThanOrEqual(mostNotOurs);
  });

  test("docs/requirements.md names file and title of a test for each kept requirement, and for no other", () => {
    const wrong = rows.flatMap(({ id, status, tests }) => {
      if (status !== "test") return tests.length === 0 ? [] : [`${id}: ${status}, but there are tests`];
      if (tests.length === 0) return [`${id}: no test`];
      return tests.flatMap((said) => {
        const [, file = "", title = ""] = /^`([^`]+\.test\.ts)`: (.+)$/.exec(said) ?? [];
        const found = files.get(file)?.has(title.replace(/\\(.)/g, "$1"));
        return found === true ? [] : [`${id}: ${said}: no such title runs in that file`];
      });
    });
    expect(wrong).toEqual([]);
  });
});

test("titles of tests cite sentences of docs/protocol.md and nothing else", () => {
  const cited = [...files].flatMap(([file, titles]) =>
    [...titles].flatMap((title) => idsOf(title).map((id) => ({ file, title, id }))),
  );
  expect(cited.length).toBeGreaterThan(100);
  const protocol = readFileSync(join(root, "docs/protocol.md"), "utf8");
  expect(cited.filter(({ id }) => !protocol.includes(`**${id}**`))).toEqual([]);
});

test("docs/requirements.md has every id that the code cites", () => {
  const known = new Set(rows.map(({ id }) => id));
  const folders = ["server", "interview", "trajectory", "client", "protocol"]
    .map((name) => `packages/${name}`)
    .concat("apps/cli");
  const cited = folders.flatMap((folder) =>
    readdirSync(join(root, folder, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => {
        const text = readFileSync(join(root, folder, "src", file), "utf8");
        return [...text.matchAll(/(?<![\w-])[KLFUP]-\d\d(?!\d)/g)].map(([id]) => ({ file, id }));
      }),
  );
  expect(cited).not.toEqual([]);
  expect(cited.filter(({ id }) => !known.has(id))).toEqual([]);
});

describe("the titles that are read", () => {
  test("the titles that are read are those of tests that run, also of a table, under a condition or with a text put in", () => {
    const source = `
      test("one", () => {});
      // test("a comment", () => {});
      const text = 'test("a text", () => {})';
      test.each<[string]>([["a row"]])("each %s", () => {});
      describe("all", () => { it.runIf(windows)(\`one of \${count}\`, () => {}); });
      test.skip("not run", () => {});
      test.skip.each([1])("not run either", () => {});
      test.todo("to come");
      describe.skip("not run together", () => { test("nor a test within", () => {}); });
      other("something else", () => {});
    `;
    expect(titlesIn(source)).toEqual(["one", "each %s", "all", "one of ${count}"]);
  });

  test("the titles that are read cite the ids in the brackets at their end", () => {
    expect(idsOf("a thing (P-KIM-7, S44)")).toEqual(["P-KIM-7", "S44"]);
    expect(idsOf("several (P-ENG-1 to P-ENG-3)")).toEqual(["P-ENG-1", "P-ENG-3"]);
    expect(idsOf("of the dialects (K-01)")).toEqual(["K-01"]);
    expect(idsOf("in the middle (P-KIM-7) of a sentence")).toEqual([]);
    expect(idsOf("beside other words (Node 20)")).toEqual([]);
  });

  test("the titles that are read come from the files of this project, which are many", () => {
    expect(files.size).toBeGreaterThan(100);
    expect(files.get("packages/conformance-tests/test/requirements.test.ts")).toBeDefined();
  });
});
