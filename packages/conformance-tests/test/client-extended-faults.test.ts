import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { clientSuite } from "../src/client/client-suite.js";
import { isGreen, textReport } from "../src/report.js";

const brokenClient = fileURLToPath(new URL("clients/broken-extended-client.mjs", import.meta.url));
const command = (fault: string) => [process.execPath, brokenClient, fault, "{url}"];

/** Checks whose broken clients are in acts.test.ts. */
const needActs = ["CX33", "CX34"];
const only = new Set(
  clientSuite.checks
    .map(({ id }) => id)
    .filter((id) => id.startsWith("CX") || ["C41", "C42", "C46"].includes(id))
    .filter((id) => !needActs.includes(id)),
);

/** Broken clients whose fault is that nothing comes. */
const silent: [fault: string, id: string, expected: string][] = [
  ["reads binary frames", "CX16", "a close by 1003"],
  ["sends no answer again", "CX24", "a request answer"],
  ["keeps no answer without a connection", "CX25", "a request answer"],
  ["minds no hole", "CX22", "the command to open a WebSocket"],
  ["minds no hole", "CX32", "the command to open a WebSocket"],
  ["replies to an event", "CX07", "a notification received"],
  ["knows one revision only", "CX03", "a request answer"],
  ["minds no silence", "CX23", "the command to open a WebSocket"],
  ["hears an event again", "CX30", "a request answer"],
];

/** What each broken client does, the check that has to see it, and what that check expected. */
const faults: [fault: string, id: string, expected: string][] = [
  ["speaks by the profile to anybody", "CX02", "a prompt without turn_id"],
  ["has a name for a client_id", "CX01", "a UUID as client_id"],
  ["has a text for a key", "CX01", "true or false as skip"],
  ["dies on alive", "CX04", "a request answer"],
  ["receives what does not fit", "CX05", "a request release"],
  ["answers by position", "CX06", "the ids that are chosen"],
  ["replies to an event", "CX06", "no response to an event"],
  ["receives again after a reconnection", "CX26", "no second receipt"],
  ["receives when the person has answered", "CX07", "what comes first"],
  ["approves whatever it is told", "CX08", 'response "approve_for_session"'],
  ["declines with items", "CX09", "no items"],
  ["states that a question was withdrawn", "CX09", "declined"],
  ["has no item for what it skips", "CX10", "the item of the question that was left out"],
  ["corrects under the same answer_id", "CX11", "another answer_id"],
  ["sends a late answer again", "CX12", "the number of answers 1"],
  ["answers what was settled elsewhere", "CX13", "no answer to what was settled elsewhere"],
  ["runs a tool again", "CX14", 'output":"1 hello"'],
  ["reads no arguments", "C41", 'output":"1 hello"'],
  ["leaves out what there is to display", "C41", "output, message and display"],
  ["calls a failure a success", "C42", '"is_error":true'],
  ["does nothing else while its tool runs", "C46", "the ids that are answered, in order"],
  ["has the token in the query", "CX15", "the path of the WebSocket"],
  ["reads frame by frame", "CX16", "a request answer"],
  ["knocks until it is let in", "CX17", "the command to end"],
  ["takes a lost connection for its end", "CX18", "the command to open a WebSocket"],
  ["reconnects at once", "CX19", "ms before it connects again"],
  ["waits no longer", "CX19", "ms before it connects again"],
  ["forgets who it is", "CX19", "client_id"],
  ["forgets where it was", "CX19", "session"],
  ["comes back when it is replaced", "CX20", "the command to end"],
  ["cuts its connection at the end", "CX21", "the close code 1000"],
  ["has little patience", "CX23", "a new connection after 40 to 55 s"],
  ["sends an answer again under another id", "CX24", "the answer that is sent again"],
  ["asks the person anew", "CX26", "ms after it was asked"],
  ["keeps what is not pending", "CX27", "no answer to what the person does not have any more"],
  ["prompts after a reset", "CX28", "no prompt after a reset"],
  ["keeps what it has after a reset", "CX28", "no answer to what the person does not have any more"],
  ["makes a turn of each prompt", "CX29", "the prompt that is sent again"],
  ["runs a tool on each connection", "CX31", 'output":"1 hello"'],
];

test.concurrent("an extended client that breaks no promise is green in every check of the profile", async () => {
  const report = await clientSuite.run({ command: command("none"), only, concurrency: 3, timeoutMs: 60_000 });
  expect(isGreen(report), textReport(report)).toBe(true);
  expect(report.results.filter(({ status }) => status !== "passed")).toEqual([]);
});

test.concurrent("a check that a client does not support is skipped, with a sentence that says so", async () => {
  const baseClient = fileURLToPath(new URL("clients/broken-client.mjs", import.meta.url));
  const base = await clientSuite.run({
    command: [process.execPath, baseClient, "none"],
    only,
    timeoutMs: 60_000,
  });
  expect(new Set(base.results.map(({ status, reason }) => `${status}: ${reason}`))).toEqual(
    new Set([
      "skipped: its initialize has no askwire, so it keeps to the base profile",
      "skipped: no argument of the command is {url}, so it takes no address",
      "skipped: its initialize does not offer the tool CountAndSay",
    ]),
  );
  const { results } = await clientSuite.run({
    command: command("shows nothing and has no tool"),
    timeoutMs: 60_000,
    only: new Set(["CX06", "CX10", "CX14", "CX31"]),
  });
  expect(results.map(({ status, reason }) => [status, reason])).toEqual([
    ["passed", undefined],
    ["skipped", "it does not declare skip, so its person leaves no question out"],
    ["skipped", "its initialize does not offer the tool CountAndSay"],
    ["skipped", "its initialize does not offer the tool CountAndSay"],
  ]);
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

describe.concurrent("an extended client that breaks a promise is seen", () => {
  test.each(silent)("a client that %s, by %s, when time is up", (fault, id, expected) =>
    wantRed(fault, id, expected, 10_000),
  );
  test.each(faults)("a client that %s, by %s", (fault, id, expected) => wantRed(fault, id, expected, 60_000));

  test("every check of the profile sees one", () => {
    const seen = new Set([...silent, ...faults].map(([, id]) => id));
    expect([...only].filter((id) => !seen.has(id))).toEqual([]);
  });
});
