import fc from "fast-check";
import { expect, test } from "vitest";
import {
  auditMembers,
  csvHead,
  csvLine,
  decisionPages,
  type HeardDecision,
  listDecisions,
  tellsDecisions,
} from "../src/decisions.js";
import { extendedServer } from "./extended-server.js";

const decided = (request_id: string, more: object = {}) => ({
  ...{ at: "2026-11-28T10:00:00.000Z", session_id: "s-1", kind: "question", status: "answered", request_id },
  ...more,
});

test("what was decided is listed otherwise than by the pages of the server (P-XPD-1)", async () => {
  const { session, line } = await extendedServer();
  expect(tellsDecisions(session)).toBe(false);
  const rows: unknown[] = [];
  const listing = (async () => {
    for await (const page of decisionPages(session, { text: "shed", limit: 2 })) rows.push(page);
  })();
  const first = await line.next();
  expect([first.method, first.params]).toEqual(["list_decisions", { text: "shed", limit: 2 }]);
  line.reply(first.id, {
    decisions: [decided("r-2", { asked: 7, who: { name: "Ann" } }), { at: 1 }],
    next: "n-1",
  });
  const second = await line.next();
  expect(second.params).toEqual({ text: "shed", limit: 2, after: "n-1" });
  line.reply(second.id, { decisions: [], next: "n-2" });
  const third = await line.next();
  // A server that gives the place again would be asked for ever.
  line.reply(third.id, { decisions: [decided("r-1", { who: { via: "token", name: "Ann" } })], next: "n-2" });
  await listing;
  expect(rows).toEqual([[decided("r-2")], [], [decided("r-1", { who: { via: "token", name: "Ann" } })]]);
});

test("a list of what was decided that is given up goes on at the server, or says otherwise why it ended", async () => {
  const { session, line } = await extendedServer();
  const ending = new AbortController();
  const listed = listDecisions(session, {}, { signal: ending.signal });
  const { id } = await line.next();
  ending.abort(new Error("enough"));
  const cancelled = await line.next();
  expect([cancelled.method, cancelled.params]).toEqual(["$/cancelRequest", { id }]);
  line.send({ id, error: { code: -32000, message: "cancelled" } });
  await expect(listed).rejects.toThrow("enough");
});

const row: HeardDecision = {
  ...decided("r-1"),
  ...{ asked: '=HYPERLINK("http://x")', answer: 'Red, "light"\r\nand more', note: "-1", title: "plain" },
  who: { id: "a", name: "@Ann", via: "token" },
};

/** The cells of a line of CSV as RFC 4180 reads them. */
const cellsOf = (text: string) =>
  [...text.matchAll(/(?:^|,)"((?:[^"]|"")*)"/g)].map(([, cell = ""]) => cell.replaceAll('""', '"'));

test("a cell of CSV is a formula, or is read as another text", () => {
  const cells = cellsOf(csvLine(auditMembers(row)));
  const named = Object.fromEntries(csvHead.split(",").map((name, nth) => [name, cells[nth]]));
  expect(cells).toHaveLength(csvHead.split(",").length);
  expect(named).toMatchObject({
    asked: `'=HYPERLINK("http://x")`,
    answer: 'Red, "light"\r\nand more',
    ...{ note: "'-1", who: "'@Ann", via: "token", title: "plain", session: "s-1", client: "", reason: "" },
  });
});

test("any text in a cell of CSV breaks its line, or begins as a formula does", () => {
  const marks = ["=", "+", "-", "@", "\t", "\r", "\n", '"', ",", ";", "＝", " ", "a"];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...marks) }), (asked) => {
      const cells = cellsOf(csvLine(auditMembers({ ...row, asked })));
      const cell = cells[csvHead.split(",").indexOf("asked")] ?? "";
      expect(cells).toHaveLength(csvHead.split(",").length);
      expect(cell.replaceAll("'", "")).toBe(asked);
      expect(cell).not.toMatch(/^\s*[=+\-@＝]/);
      // A spreadsheet whose separator is a semicolon, or a tab, begins a cell there.
      for (const part of cell.split(/[;\t\r\n]/).slice(1)) expect(part).not.toMatch(/^[\s"]*[=+\-@＝]/);
    }),
  );
});

test("a formula behind a semicolon, a tab or an end of line within a cell of CSV goes through", () => {
  const asked = 'a;=1+1\t @b\r\n-c;"=d;e=f';
  const cells = cellsOf(csvLine(auditMembers({ ...row, asked })));
  expect(cells[csvHead.split(",").indexOf("asked")]).toBe(`a;'=1+1\t '@b\r\n'-c;"'=d;e=f`);
});

test("a decision of the wire has not the members that askwire audit prints", () => {
  expect(auditMembers({ ...row, cut: true })).toMatchObject({
    session: "s-1",
    rule: null,
    request: null,
    cut: true,
  });
  expect(Object.keys(auditMembers(row))).not.toContain("session_id");
});
