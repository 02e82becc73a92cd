import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const load = (path: string) => import(pathToFileURL(join(root, "bench", path)).href);
const { rivalsTable, tableIn, withLine, withTable } = await load("rivals.mjs");
const { judge } = await load("report.mjs");
const { budgets } = await load("budgets.mjs");

const cellsOf = (line: string) => line.slice(2, -2).split(" | ");
const rowsOf = (text: string) => text.split("\n").filter((line) => line.startsWith("| "));

/** Two peers, of which the second is twice as slow in each repetition of a machine that becomes slower. */
const measured = [
  { name: "askwire", samples: [{ p50: 30 }, { p50: 60 }] },
  { name: "acp-elicitation", samples: [{ p50: 60 }, { p50: 120 }] },
];
const results = [{ measure: { name: "stdio" }, peers: measured.map((one) => ({ ...one, peer: one })) }];
const budget = { what: "base", measure: "stdio", key: "p50", to: "acp-elicitation", most: 0.55 };
const run = {
  date: "2026-11-28T17:18:01.905Z",
  commit: "0123abcd",
  machine: "A processor, 2 cores, Node v20.20.2",
  load: 0.25,
  versions: { "@agentclientprotocol/sdk": "2.4.0" },
  budgets: judge([budget], results),
  measures: [{ name: "stdio", peers: measured }],
};

describe("budgets", () => {
  test("a budget is a ratio to the rival of the same repetition, beside what Askwire differs from itself", () => {
    expect(judge([budget], results)).toEqual([
      {
        ...budget,
        measured: { median: 0.5, min: 0.5, max: 0.5 },
        itself: { median: 2, min: 2, max: 2 },
        met: true,
      },
    ]);
  });

  test("a budget whose ratio is above its bound is missed", () => {
    expect(judge([{ ...budget, most: 0.45 }], results)[0].met).toBe(false);
  });

  test.each([{ to: "raw" }, { peer: "askwire-extended" }, { measure: "ws" }, { key: "cpuMany" }])(
    "a budget is not measured where the run lacks %o",
    (lacking) => {
      expect(judge([{ ...budget, ...lacking }], results)[0]).toMatchObject({ measured: null, met: null });
    },
  );

  test("every budget names peers that take part in its measure", () => {
    const strange = budgets.filter(({ measure, peer = "askwire", to = peer }: Record<string, string>) =>
      [peer, to].some(
        (name) => !JSON.parse(read(`bench/peers/${name}/peer.json`)).measures.includes(measure),
      ),
    );
    expect(strange).toEqual([]);
  });
});

describe("the table beside rivals", () => {
  const tables = ["README.md", "docs/compared.md"].map((page) => tableIn(read(page)));

  test("README.md and docs/compared.md have the same; if this fails, run `npm run bench`, then `node bench/rivals.mjs`", () => {
    expect(tables[0]).toBe(tables[1]);
  });

  test("the table names date, commit, machine and versions, and has a figure or a dash in each cell", () => {
    const [head = "", , ...rows] = rowsOf(tables[0]);
    expect(cellsOf(head).slice(0, 2)).toEqual(["", "Askwire, base"]);
    expect(rows.length).toBeGreaterThan(0);
    const strange = rows.filter((line) => {
      const [what, ...cells] = cellsOf(line);
      const figures = cells.every((cell) => /^(–|[\d.,]+( \([\d.,]+×\))?)$/.test(cell));
      return what === "" || !figures || cells.length !== cellsOf(head).length - 1;
    });
    expect(strange).toEqual([]);
    expect(tables[0]).toMatch(
      /^Measured on \d{4}-\d\d-\d\d at `[0-9a-f]{8}`, on .+, Node v\d+\.\d+\.\d+, load \d+\.\d before the run, with (`[^`]+` \d+\.\d+\.\d+(, |\.$))+$/m,
    );
  });

  test("a table is made of the medians of a run, with ratios of the same repetition", () => {
    const table = rivalsTable(run);
    expect(rowsOf(table).map(cellsOf)).toEqual([
      ["", "Askwire, base", "ACP elicitation"],
      ["---", "---:", "---:"],
      ["stdio: a question and its answer, µs", "45.0", "90.0 (2.00×)"],
    ]);
    expect(tableIn(withTable(read("README.md"), table))).toBe(table);
  });

  test("a page without the marks is refused", () => {
    expect(() => withTable("# Askwire\n", "a table")).toThrow("a page has no <!-- beside rivals");
  });
});

describe("bench/history.md", () => {
  test("every line of the history has a cell for each head of its table", () => {
    let heads = 0;
    const uneven = rowsOf(read("bench/history.md")).filter((line) => {
      if (line.startsWith("| date ")) heads = cellsOf(line).length;
      return cellsOf(line).length !== heads;
    });
    expect(uneven).toEqual([]);
  });

  test("a run becomes one line, below a head of its own where the budgets are others than before", () => {
    const once = withLine("# History\n", run);
    expect(rowsOf(once).map((line) => cellsOf(line).at(-1))).toEqual([
      "base, to `acp-elicitation` (≤ 0.55)",
      "---",
      "0.500 [0.500–0.500]",
    ]);
    expect(withLine(once, run)).toBe(once);
    const other = { ...run, budgets: judge([{ ...budget, most: 0.45 }], results) };
    expect(rowsOf(withLine(once, other)).at(-1)).toContain("| **0.500 [0.500–0.500]** |");
    expect(rowsOf(withLine(once, other))).toHaveLength(6);
    const later = { ...run, date: "2026-11-29T00:00:00.000Z" };
    expect(rowsOf(withLine(once, later))).toHaveLength(4);
  });
});
