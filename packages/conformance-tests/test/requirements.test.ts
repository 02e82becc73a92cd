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
  "later: remote",
  "not ours: text of another product's UI",
  "not ours: guidance to a model",
  "not ours: resolved otherwise in §6",
];
const mostNotOurs = 20;

const cells = (line: string) =>
  line
    .split("|")
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
    return { id, what, status, files: where === "" ? [] : where.split(", ") };
  });
}

const rows = groups.flatMap(({ dialect }) => rowsOf(dialect));
const files = testFiles(root, ["packages", "apps", "examples"]);

describe("docs/requirements.md", () => {
  test("has a row for each id, once and in its order", () => {
    const ids = groups.flatMap(({ letter, count }) =>
      Array.from({ length: count }, (_, index) => `${letter}-${String(index + 1).padStart(2, "0")}`),
    );
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(rows.filter(({ what }) => what === "")).toEqual([]);
  });

  test("explains each status that a row has, and every row has one: none is open", () => {
    const explained = [...page.matchAll(/^\| `([a-z][^`]*)` \|/gm)].map(([, status]) => status);
    expect([...explained].sort()).toEqual([...new Set(rows.map(({ status }) => status))].sort());
    const strange = rows.filter(({ status }) => !allowed.includes(status));
    expect(strange.map(({ id, status }) => `${id}: ${status}`)).toEqual([]);
  });

  test(`leaves out at most ${mostNotOurs} as not ours`, () => {
    const left = rows.filter(({ status }) => status.startsWith("not ours"));
    expect(left.length, left.map(({ id }) => id).join(", ")).toBeLessThanOrEqual(mostNotOurs);
  });

  test("names for each kept one files that have a test with its id, and for no other one any", () => {
    const wrong = rows.flatMap(({ id, status, files: where }) => {
      if (status !== "test") return where.length === 0 ? [] : [`${id}: ${status}, but there are files`];
      if (where.length === 0) return [`${id}: no file`];
      return where.flatMap((quoted) => {
        const file = /^`(.+)`$/.exec(quoted)?.[1];
        const ids = file?.endsWith(".test.ts") ? files.get(file) : undefined;
        if (ids === undefined) return [`${id}: ${quoted} is no file of tests`];
        return ids.has(id) ? [] : [`${id}: no title of ${quoted} ends with it`];
      });
    });
    expect(wrong).toEqual([]);
  });

  test("has every id that a test names", () => {
    const letters = new Set<string>(groups.map(({ letter }) => letter));
    const known = new Set(rows.map(({ id }) => id));
    const named = [...files].flatMap(([file, ids]) => [...ids].map((id) => ({ file, id })));
    const ours = named.filter(({ id }) => letters.has(id.split("-")[0] ?? ""));
    expect(ours.length).toBeGreaterThan(20);
    expect(ours.filter(({ id }) => !known.has(id))).toEqual([]);
  });
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

describe("what names a test", () => {
  test("is the title of what runs, also of a table, under a condition or with a text put in", () => {
    const source = `
      test("one (K-01)", () => {});
      // test("a comment (K-02)", () => {});
      const text = 'test("a text (K-03)", () => {})';
      test.each<[string]>([["a row (K-04)"]])("each %s (K-05)", () => {});
      describe("all (K-06)", () => { it.runIf(windows)(\`one of \${count} (K-07)\`, () => {}); });
      test.skip("not run (K-08)", () => {});
      test.skip.each([1])("not run either (K-09)", () => {});
      test.todo("to come (K-10)");
      describe.skip("not run together (K-12)", () => { test("nor what is in it (K-13)", () => {}); });
      other("something else (K-11)", () => {});
    `;
    expect(titlesIn(source).flatMap(idsOf)).toEqual(["K-01", "K-06", "K-07", "K-05"].sort());
  });

  test("are the ids in the brackets at its end", () => {
    expect(idsOf("a thing (K-01, P-KIM-7, S44)")).toEqual(["K-01"]);
    expect(idsOf("several (L-09 to L-11)")).toEqual(["L-09", "L-10", "L-11"]);
    expect(idsOf("in the middle (K-01) of it")).toEqual([]);
    expect(idsOf("of another list (F01, D10)")).toEqual([]);
  });

  test("is not looked for in vain: the files of this project have many", () => {
    expect(files.size).toBeGreaterThan(100);
    expect(files.get("packages/conformance-tests/test/requirements.test.ts")).toBeDefined();
  });
});
