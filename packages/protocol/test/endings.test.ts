import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type EndedAs, type Ending, endings, outcomeReasons, type Standing } from "../src/index.js";

const rows: readonly Ending[] = Object.values(endings);
const settled = rows.flatMap((ending) =>
  [ending.question, ending.approval].flatMap((ends) =>
    Object.values(ends).flatMap((ended) => (ended === "open" ? [] : [{ ended, isAct: ending.isAct }])),
  ),
);

test("every settlement has a status with one of its own reasons (P-OUT-1)", () => {
  for (const { ended } of settled) {
    const reasons: readonly string[] = outcomeReasons[ended.status];
    expect(ended.reason === undefined ? reasons.length === 0 : reasons.includes(ended.reason)).toBe(true);
  }
});

test("what a person did is by a human, and nothing else is (P-WHO-1)", () => {
  for (const { ended, isAct } of settled) expect(ended.by === "human").toBe(isAct);
});

test("docs/protocol.md has the table as it is here (P-WHO-2)", () => {
  const document = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");
  for (const { what, question, approval, exit } of rows) {
    const code = (value?: number) => value ?? "–";
    const codes = exit === undefined ? "–" : `${code(exit.chat)}, ${code(exit.ask)}`;
    const alike = cell(question) === cell(approval) ? "the same" : cell(approval);
    expect(document).toContain(`| ${what} | ${cell(question)} | ${alike} | ${codes} |`);
  }
});

/** What becomes of a request, said once for all that end alike. */
function cell(ends: Readonly<Record<Standing, EndedAs>>): string {
  const said = new Map<string, string[]>();
  for (const [standing, ended] of Object.entries(ends)) {
    said.set(words(ended), [...(said.get(words(ended)) ?? []), standing]);
  }
  const parts = [...said].map(([words, alike]) =>
    said.size === 1 ? words : `${alike.join(", ")}: ${words}`,
  );
  return parts.join("; ");
}

function words(ended: EndedAs): string {
  if (ended === "open") return "open";
  const { status, reason, by, response } = ended;
  const first = response === undefined ? `\`${status}\`` : `\`${status}\` (${response})`;
  return [first, ...(reason === undefined ? [] : [`\`${reason}\``]), `by ${by}`].join(", ");
}
