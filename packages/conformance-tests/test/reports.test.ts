import { describe, expect, test } from "vitest";
import {
  exitCodeOf,
  junitReport,
  matrixPage,
  type Report,
  serverSuite,
  textReport,
  WrongUse,
} from "../src/index.js";
import { baselineOf, readBaseline, withBaseline } from "../src/run/baseline.js";
import { selected } from "../src/run/selection.js";

const hostile = '"]]><script>\u001b[2J\u202e\ud800&';
const place = { profile: "wire-1.10", level: "core", weight: "MUST" } as const;
const results = [
  { ...place, id: "S01", title: "the handshake", rules: ["P-INI-1"], status: "passed", durationMs: 12 },
  {
    ...place,
    id: "S02",
    title: "no second word",
    rules: ["P-ENV-1"],
    status: "failed",
    durationMs: 3,
    failure: { expected: "one word", received: hostile, transcript: [{ kind: "received", text: hostile }] },
  },
  {
    ...place,
    id: "S03",
    title: "left out",
    rules: [],
    status: "skipped",
    durationMs: 0,
    reason: "it has no tools",
  },
] as const;
const report: Report = { subject: "server", command: ["my server"], results, durationMs: 1_500 };

describe("a baseline", () => {
  const read = (text: string) => readBaseline(text, "known.txt", serverSuite);

  test("a baseline makes a failure known, with its reason, and the run green", () => {
    const judged = withBaseline(report, read("# ours\n\nS02 not built yet\n"));
    expect(judged.results[1]).toMatchObject({ status: "known", reason: "not built yet" });
    expect(exitCodeOf(judged)).toBe(0);
    expect(textReport(judged)).toContain("know S02 no second word: not built yet\n");
    expect(textReport(judged)).toMatch(/1 passed, 0 failed, 1 skipped, 1 known to fail/);
  });

  test("a baseline with an entry that passes now is stale and fails the run", () => {
    const judged = withBaseline(report, read("S01 broken\nS02"));
    expect(judged.results.map(({ status }) => status)).toEqual(["stale", "known", "skipped"]);
    expect(exitCodeOf(judged)).toBe(1);
    expect(textReport(judged)).toContain(
      "STALE S01 the handshake\n  it passes now: take it off the baseline",
    );
  });

  test("a baseline that is written from a report is read back and makes the same run green", () => {
    expect(exitCodeOf(withBaseline(report, read(baselineOf(report))))).toBe(0);
  });

  test.each([
    ["S01\nS99 no", "known.txt, line 2: expected the id of a check, got S99; --list shows all"],
    ["S01\n\nS01", "known.txt, line 3: S01 is listed twice"],
  ])("the baseline %j is refused with the line", (text, message) => {
    expect(() => read(text)).toThrow(new WrongUse(message));
  });
});

describe("a selection", () => {
  const ids = (selection: object) => [...(selected(serverSuite, selection) ?? ["all"])];

  test("a selection is by ids, patterns of ids, sentences and words of the title", () => {
    expect(ids({})).toEqual(["all"]);
    expect(ids({ only: "s01, S28" })).toEqual(["S01", "S28"]);
    expect(ids({ only: "S0*" })).toHaveLength(9);
    expect(ids({ only: "P-ANS-1" })).toContain("S44");
    expect(ids({ only: "S4*", grep: "ONLY BLANKS" })).toEqual(["S44"]);
  });

  test.each([
    [{ only: "S01,S99" }, "--only S01,S99: there is no check S99; --list shows all"],
    [{ grep: "no such words" }, "--grep no such words: there is no such check; --list shows all"],
    [{ grep: "(" }, /^--grep \(: Invalid regular expression/],
  ])("the selection %j is refused", (selection, message) => {
    expect(() => ids(selection)).toThrow(message);
  });
});

describe("JUnit's XML", () => {
  test("the XML of JUnit has a case for each check, with what was expected and received, and no raw control character", () => {
    const xml = junitReport(report);
    expect(xml).toMatch(
      /<testsuite name="askwire conformance server" tests="3" failures="1" errors="0" skipped="1" time="1.500">/,
    );
    expect(xml).toContain('<testcase classname="server" name="S01 the handshake" time="0.012"/>');
    expect(xml).toContain(
      '<failure message="expected one word; received &quot;]]&gt;&lt;script&gt;\\u001b[2J\\u202e',
    );
    expect(xml).toContain('type="docs/protocol.md#P-ENV-1"');
    expect(xml).toContain('<skipped message="it has no tools"/>');
    expect(xml).not.toMatch(/(?!\n)\p{Cc}|\u202e|<script|\p{Cs}/u);
  });

  test("the XML of JUnit for a program that does not speak has one failed case with the next step", () => {
    const unreachable = {
      expected: "a line",
      received: "nothing",
      advice: "start it by hand",
      transcript: [],
    };
    const xml = junitReport({ ...report, results: [], unreachable });
    expect(xml).toMatch(/tests="1" failures="1"/);
    expect(xml).toContain('<failure message="expected a line; received nothing" type="start it by hand">');
  });
});

describe("the page", () => {
  test("the page of results has a column for each peer, a row for each check, and shows nothing of a peer as markup", () => {
    const other: Report = { ...report, command: ["other"], results: results.slice(0, 1) };
    const page = matrixPage([report, other]);
    const [, levels = "", checks = ""] = page.split("<table>");
    expect(levels.match(/<th scope="col"/g)).toHaveLength(3);
    expect(checks.match(/<th scope="col"/g)).toHaveLength(4);
    expect(checks.match(/<th scope="row">/g)).toHaveLength(3);
    expect(checks).toContain('<td class="none">not run</td>');
    expect(checks).toContain('<td class="failed"><a href="#peer-1-S02">fail</a></td>');
    expect(page).toMatch(/<section id="peer-1-S02">.*<dt>expected<\/dt><dd>one word<\/dd>/);
    expect(page).not.toContain("<script");
    expect(page).not.toContain("\u202e");
  });

  test("the page of results counts the levels of each peer, and leads from every link to its own place", () => {
    const page = matrixPage([report, { ...report, command: ["other"] }]);
    expect(page).toContain(
      `wire-1.10 core</th>${'<td class="failed">1 passed, 1 failed, 0 skipped</td>'.repeat(2)}`,
    );
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links).toEqual(["peer-1-S02", "peer-2-S02"]);
    for (const id of links) expect(page.split(`id="${id}"`)).toHaveLength(2);
    expect(page).not.toMatch(/href="[^#]/);
  });

  test("the page of results shows a broken SHOULD as a warning and not as a failure", () => {
    const [, failed] = results;
    const page = matrixPage([{ ...report, results: [{ ...failed, weight: "SHOULD" }] }]);
    expect(page).toContain('<td class="warned"><a href="#peer-1-S02">warn</a></td>');
    expect(page).toContain('<td class="warned">0 passed, 0 failed, 0 skipped, 1 warned</td>');
    expect(page).not.toContain('<td class="failed">');
  });

  test("the page of results shows the trace of a check that passed, and the failure of a program that does not speak", () => {
    const traced = { ...results[0], trace: [{ kind: "sent", text: "hello" }] } as const;
    expect(matrixPage([{ ...report, results: [traced] }])).toContain("<pre>-&#62; hello</pre>");
    const unreachable = {
      expected: "a line",
      received: "nothing",
      advice: "start it by hand",
      transcript: [],
    };
    const page = matrixPage([{ ...report, results: [], unreachable }]);
    expect(page).toContain("does not speak");
    expect(page).toContain("start it by hand");
  });
});
