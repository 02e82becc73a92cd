import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { serverSuite } from "../src/server/server-suite.js";
import { baseServers } from "./servers/broken-servers.js";
import { pace } from "./this-machine.js";

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
    pace,
  });
  const which = (status: string) => results.filter((result) => result.status === status);
  return { green: which("passed").map(({ id }) => id), red: which("failed") };
}

describe("a server with one fault", () => {
  test("a server without a fault passes each of the checks that find faults", async () => {
    const ids = [...new Set(baseServers.map(([, id]) => id))];
    const { green, red } = await check(ids);
    expect(red).toEqual([]);
    expect([...green].sort()).toEqual(ids.sort());
  });

  test.each(baseServers)(
    "%s turns %s red, and the failure says what was expected",
    async (fault, id, expected) => {
      const { green, red } = await check([id], fault);
      expect(green).toEqual([]);
      expect(red.map((result) => result.id)).toEqual([id]);
      expect(red[0]?.failure?.expected).toMatch(expected);
    },
  );
});
