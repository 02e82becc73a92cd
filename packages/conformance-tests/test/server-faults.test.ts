import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { serverSuite } from "../src/server/server-suite.js";

const program = fileURLToPath(new URL("servers/base-server.mjs", import.meta.url));

/** Checks the small server, whole or with a fault. Returns the ids of green and red checks. */
async function check(ids: readonly string[], fault?: string) {
  const command = [process.execPath, program, ...(fault === undefined ? [] : ["--fault", fault])];
  const { results } = await serverSuite.run({
    command,
    only: new Set(ids),
    timeoutMs: 60_000,
    probes: false,
    retries: 0,
  });
  const which = (status: string) => results.filter((result) => result.status === status);
  return { green: which("passed").map(({ id }) => id), red: which("failed") };
}

/** The fault, the check that finds it, and the text of its failure. */
const faults: [fault: string, id: string, expected: RegExp][] = [
  ["two-ids", "S28", /the id of a request and its payload\.id to be the same text/],
  ["no-turn-end", "S29", /the last messages \["TurnEnd","response /],
  ["turn-end-after-response", "S29", /the last messages \["TurnEnd","response /],
  ["blank-counts", "S44", /User dismissed/],
  ["raw-separators", "S27", /U\+2028 and U\+2029 written as escapes/],
  ["cancel-reply-last", "S33", /\{\} of cancel, TurnEnd, the prompt's response/],
  ["second-prompt-runs", "S31", /an error with .*-32000/],
  ["silent-on-blank", "S12", /an error with id null/],
  ["extra-field", "S42", /no field deadline in the payload of QuestionRequest/],
  ["missing-field", "S28", /the field questions\.0\.options\.0\.description in the payload/],
  ["unknown-event", "S29", /only events of Wire 1\.10/],
  ["answers-twice", "S28", /one response to each request/],
  ["chatty", "S01", /one JSON object on each line/],
];

describe("a server with one fault is found out", () => {
  test("without a fault each of those checks is green", async () => {
    const ids = [...new Set(faults.map(([, id]) => id))];
    const { green, red } = await check(ids);
    expect(red).toEqual([]);
    expect([...green].sort()).toEqual(ids.sort());
  });

  test.each(faults)(
    "%s turns %s red, and the failure says what was expected",
    async (fault, id, expected) => {
      const { green, red } = await check([id], fault);
      expect(green).toEqual([]);
      expect(red.map((result) => result.id)).toEqual([id]);
      expect(red[0]?.failure?.expected).toMatch(expected);
    },
  );
});
