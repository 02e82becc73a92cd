import { outcomeReasons, type ToolReturnValue } from "@askwire/protocol";
import { afterEach, describe, expect, test } from "vitest";
import type { Message } from "../../server/test/raw-client.js";
import { dialects } from "../src/index.js";
import { forms } from "./matrix-forms.js";
import type { Stage } from "./matrix-stage.js";
import {
  cellOf,
  dialectNames,
  exceptions,
  extrasOf,
  interruptedWords,
  type Read,
  type RowName,
  rows,
  type Wire,
} from "./matrix-table.js";
import { otherWays, type Way, ways } from "./matrix-ways.js";

const rowNames = Object.keys(rows) as RowName[];
const wires = ["base", "extended"] as const;
const mostExceptions = 12;

let played: Stage | undefined;
afterEach(() => played?.server.close());

const said = ({ status, reason, by }: { status: string; reason?: string | undefined; by: string }) => ({
  status,
  ...(reason !== undefined && { reason }),
  by,
});

/** The results that the client was told, also those of sub-agents. */
const toldResults = ({ client }: Stage) =>
  client.received
    .map(({ params }) => (params?.type === "SubagentEvent" ? params.payload.event : params) as typeof params)
    .flatMap((event) => (event?.type === "ToolResult" ? [event.payload.return_value] : []));

/** The outcome of a question as told to an extended client. */
const settled = ({ client }: Stage, asked: Message | undefined) =>
  client.events("InteractionSettled").find(({ payload }) => payload.request_id === asked?.id)?.payload
    .outcome;

describe.each(forms)("the text for a model that asks as $name (P-DIA-4, P-OUT-1)", (form) => {
  const cells = wires.flatMap((wire) =>
    rowNames.flatMap((row) => {
      const cell = cellOf(row, form.dialect, wire);
      if (typeof cell === "object" && "never" in cell) return [];
      return [{ row, wire }];
    }),
  );

  async function expectCell(way: Way, row: RowName, wire: Wire) {
    const stage = await way(form, wire);
    played = stage;
    await stage.over();
    const { reading, kept, outcomes, client } = stage;
    const { model, id, at } = reading;
    const cell = cellOf(row, form.dialect, wire);

    const outcome = outcomes[0] ?? kept.question?.outcome;
    expect(outcome && said(outcome)).toEqual(said(rows[row]));
    // Of two questions the first one was sent, and it is the newer one that has no room.
    const isTold = kept.asked !== undefined && row !== "client_lost" && row !== "limit, by policy";
    if (wire === "extended" && isTold) expect(settled(stage, kept.asked)).toMatchObject(said(rows[row]));

    const goesOn = model.requests.length > at;
    expect(goesOn).toBe(typeof cell === "object" && "goesOn" in cell && cell.goesOn);
    if (cell === "no result") {
      expect(toldResults(stage)).toEqual([]);
      return row === "interrupted" ? expectAtNextPrompt(stage) : undefined;
    }
    const { goesOn: _, ...result } = cell as Read;
    const told = toldResults(stage);
    if (!client.isClosed) expect(told).toContainEqual(expect.objectContaining(result));
    const same = (told as ToolReturnValue[]).filter(({ output }) => output === result.output);
    const expected = extrasOf(row, form.dialect, result.is_error);
    for (const { extras } of same) {
      if (expected === null) expect(extras).toBeNull();
      else expect(extras).toMatchObject(expected);
    }
    if (!goesOn) await stage.prompt();
    // In a text nothing says whether it is an error.
    const read = form.read(model.requests[at]?.messages ?? [], id);
    expect({ is_error: result.is_error, ...read }).toEqual(result);
  }

  async function expectAtNextPrompt(stage: Stage) {
    await stage.prompt();
    const { model, id, at } = stage.reading;
    const { goesOn: _, ...words } = interruptedWords[form.dialect] as Read;
    const read = form.read(model.requests[at]?.messages ?? [], id);
    expect({ is_error: words.is_error, ...read }).toEqual(words);
  }

  test.each(cells)("the model is told how its question ended: $row, $wire wire", ({ row, wire }) =>
    expectCell(ways[row], row, wire),
  );

  test.each(otherWays)(
    "the model is told how its question ended: $row, where a base client $what",
    ({ row, way }) => expectCell(way, row, "base"),
  );
});

describe("the table", () => {
  test("the table has every status with each of its reasons (P-OUT-1)", () => {
    const all = Object.entries(outcomeReasons).flatMap(([status, reasons]) =>
      reasons.length === 0 ? [{ status }] : reasons.map((reason: string) => ({ status, reason })),
    );
    const held = Object.values(rows).map((row) => said(row));
    for (const one of all) expect(held).toContainEqual(expect.objectContaining(one));
  });

  test(`the table says of at most ${mostExceptions} rows why they never happen, and every dialect is tried`, () => {
    const never = exceptions();
    expect(never.length).toBeLessThanOrEqual(mostExceptions);
    expect(never.filter(({ why }) => why.length < 20)).toEqual([]);
    expect(new Set(forms.map(({ dialect }) => dialect))).toEqual(new Set(dialectNames));
    expect(forms.map(({ name }) => name).sort()).toEqual(Object.keys(dialects).sort());
  });
});
