import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { clientSuite } from "../src/client/client-suite.js";
import { isGreen, textReport } from "../src/report.js";

const brokenClient = fileURLToPath(new URL("clients/broken-client.mjs", import.meta.url));
const command = (fault: string) => [process.execPath, brokenClient, fault];

/** Broken clients whose fault is that nothing comes, as below. */
const silent: [fault: string, id: string, expected: string][] = [
  ["takes any greeting", "C06", "the command to end"],
  ["waits for ever for initialize", "C07", "the command to end"],
  ["cuts lines at U+2028", "C09", "a response"],
  ["takes the payload's id for the request's", "C25", 'a response with the id "rpc-7"'],
  ["outlives its agent", "C54", "the command to end"],
  ["leaves its agent alone", "C59", "the command to end"],
];

/** The fault of each broken client, the check that has to see it, and that check's expectation. */
const faults: [fault: string, id: string, expected: string][] = [
  ["leaks DEBUG", "C01", "an environment without DEBUG, which makes agents log"],
  ["has numbers for ids", "C02", "an id that is a text"],
  ["needs initialize", "C03", "a request prompt"],
  ["takes no other version", "C04", "a request prompt"],
  ["takes no member that it does not know", "C05", "a request prompt"],
  ["cuts characters", "C08", 'answers {"ö?":"Yes"}'],
  ["dies on CR LF", "C10", "a response"],
  ["dies on a blank line", "C11", "a response"],
  ["dies on null", "C11", "a response"],
  ["dies on broken JSON", "C12", "a response"],
  ["dies on a long line", "C13", "a response"],
  ["writes U+2028 as it is", "C14", "U+2028 and U+2029 as escapes"],
  ["writes two messages on a line", "C14", "one JSON object on each line"],
  ["writes messages on several lines", "C14", "one JSON object on each line"],
  ["dies on an unknown event", "C17", "a response"],
  ["takes no field that it does not know", "C18", "an answer to a request with further fields"],
  ["dies on an event that does not fit", "C19", "a response"],
  ["answers events", "C20", "no answer to not-a-request, which is no request"],
  ["answers notifications", "C21", "which is no request"],
  ["takes any request", "C22", "an error {code: integer, message: text}"],
  ["checks no request", "C23", "an error {code: integer, message: text}"],
  ["says another request_id", "C24", "request_id"],
  // As the panel of one client does (K-42, D15).
  [
    "answers the first question only",
    "C24",
    'answers {"Which database?":"PostgreSQL","Which license?":"MIT"}',
  ],
  ["answers a dismissed question with null", "C27", "answers {}"],
  ["keeps the person's order", "C28", 'answers {"Which parts?":"Tests, CI, nightly, a logo"}'],
  ["dies on equal questions", "C29", "a response"],
  ["answers what was left out with a blank", "C30", 'answers {"Which license?":"MIT"}'],
  ["hides that it shows questions", "C34", "an error {code: integer, message: text}"],
  ["approves once whatever it is told", "C35", 'response "approve_for_session"'],
  ["dies on an answer from elsewhere", "C37", "a response"],
  ["dies on the older name of it", "C38", "a response"],
  ["dies on a sub-agent without a parent", "C39", "a response"],
  ["dies on a sub-agent's unknown event", "C40", "a response"],
  ["reads arguments that are none", "C43", "a response"],
  ["takes any tool", "C44", "is_error of a tool that is not there true"],
  ["dies on an id that it has seen", "C45", "a response"],
  ["blocks any hook", "C48", 'action "allow"'],
  ["takes an error with id null for its own", "C61", "a response"],
  ["takes any response for its own", "C62", "a response"],
  ["dies on a flood", "C65", "a response"],
  ["dies on an event of a later version", "C67", "a response"],
];

test("a client that breaks no promise is green in every check that a broken one fails", async () => {
  const only = new Set([...silent, ...faults].map(([, id]) => id));
  const report = await clientSuite.run({ command: command("none"), only, concurrency: 3, timeoutMs: 60_000 });
  expect(isGreen(report), textReport(report)).toBe(true);
  expect(report.results).toHaveLength(only.size);
});

test("a client that knows no questions is green in every other level", async () => {
  const report = await clientSuite.run({
    command: command("knows no questions"),
    claims: ({ profile, level }) => profile === "wire-1.10" && (level === "core" || level === "approvals"),
    concurrency: 3,
    timeoutMs: 60_000,
  });
  expect(isGreen(report), textReport(report)).toBe(true);
  expect(report.results.filter(({ status }) => status === "passed").length).toBeGreaterThan(20);
});

/** Runs one check against one broken client, and wants it to be red for this reason. */
async function wantRed(fault: string, id: string, expected: string, timeoutMs: number): Promise<void> {
  const { results } = await clientSuite.run({
    command: command(fault),
    only: new Set([id]),
    timeoutMs,
    probes: false,
    retries: 0,
  });
  expect(results.map((result) => [result.id, result.status])).toEqual([[id, "failed"]]);
  expect(results[0]?.failure?.expected).toContain(expected);
  expect(results[0]?.failure?.transcript).not.toEqual([]);
}

describe.concurrent("a client that breaks a promise is seen", () => {
  test.each(silent)("a client that %s, by %s, when time is up", (fault, id, expected) =>
    wantRed(fault, id, expected, 10_000),
  );
  test.each(faults)("a client that %s, by %s", (fault, id, expected) => wantRed(fault, id, expected, 60_000));
});
