import { expect } from "vitest";
import { clientSuite } from "../../src/client/client-suite.js";
import { pace } from "../this-machine.js";

/** Runs one check against one broken client, and wants it to be red for one of these reasons. */
export async function wantRed(
  command: string[],
  id: string,
  reasons: string[],
  timeoutMs: number,
): Promise<void> {
  const { results } = await clientSuite.run({
    command,
    only: new Set([id]),
    timeoutMs,
    probes: false,
    retries: 0,
    pace,
  });
  expect(results.map((result) => [result.id, result.status])).toEqual([[id, "failed"]]);
  expect(results[0]?.failure?.expected).toSatisfy((said: string) =>
    reasons.some((reason) => said.includes(reason)),
  );
  // Without an agent there is no wire.
  if (id !== "C57") expect(results[0]?.failure?.transcript).not.toEqual([]);
}
