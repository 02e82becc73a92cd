import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gatewaySuite } from "../src/server/gateway/gateway-suite.js";
import { serverSuite } from "../src/server/server-suite.js";
import { bundleExtendedServer } from "./servers/bundle.js";
import type { faults } from "./servers/faults.js";

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "extended-server-"));
  program = await bundleExtendedServer(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Checks our server, whole or with a fault, and gives the ids that are green and those that are not. */
async function check(ids: readonly string[], fault?: string) {
  const gateway = ids.every((id) => gatewaySuite.checks.some((check) => check.id === id));
  const broken = fault === undefined ? [] : ["--fault", fault];
  const { results } = await (gateway ? gatewaySuite : serverSuite).run({
    command: [process.execPath, program, ...broken, ...(gateway ? ["--listen"] : [])],
    only: new Set(ids),
    timeoutMs: 60_000,
    probes: false,
    retries: 0,
  });
  const green = results.filter(({ status }) => status === "passed").map(({ id }) => id);
  return { green, others: results.filter(({ status }) => status !== "passed") };
}

/** What is broken, the check that finds it, and what its failure says. */
const found: [fault: keyof typeof faults, id: string, expected: RegExp][] = [
  ["own-revision", "X01", /the revision 2/],
  ["numbers-for-all", "X02", /no seq, no state and no replayed/],
  ["old-revision", "X02", /./],
  ["late-askwire", "X03", /no askwire for a connection that began with prompt/],
  ["forgets-profile", "X03", /an integer as seq of every event/],
  ["methods-for-all", "X04", /an error with .*-32601/],
  ["no-steering", "X05", /the event SteerInput/],
  ["stale-number", "X06", /session\.seq/],
  ["one-stream", "X06", /another stream in another process/],
  ["any-session", "X07", /an error with .*-32011/],
  ["never-resets", "X08", /session with .*reset/],
  ["no-ids", "X11", /the payload of QuestionRequest/],
  ["not-degraded", "X12", /degraded in the extras of the result/],
  ["wrong-reason", "X13", /InteractionSettled with .*unsupported/],
  ["takes-receipts-as-release", "X13", /no event InteractionSettled/],
  ["questions-as-requests", "X11", /QuestionRequest as an event/],
  ["loses-a-question", "X31", /as seq of this (event|alive)/],
  ["no-short-form", "X52", /as seq of this (event|alive)/],
  ["own-kind", "X64", /its payload/],
  ["uncounted-calls", "X31", /as seq of this event|a number in/],
  ["nobody-answered", "X14", /the outcome with .*human/],
  ["no-discussion", "X15", /the outcome with .*discuss/],
  ["no-touch", "X16", /a result/],
  ["no-release", "X17", /InteractionSettled with .*the panel broke/],
  ["believes-all", "X21", /an error with .*-32014/],
  ["no-late-answers", "X22", /an error with .*-32010/],
  ["first-issue", "X23", /the issues of an answer with two/],
  ["forgets-answers", "X24", /the reply to the same answer_id/],
  ["no-attachments", "X25", /an error with .*-32013/],
  ["no-limit", "X26", /an error with .*-32020/],
  ["no-feedback", "X27", /InteractionSettled with .*use another name/],
  ["shows-all", "X28", /an error with .*-32013/],
  ["no-state", "X31", /the state running from this TurnBegin on/],
  ["always-waiting", "X31", /the state running from this TurnBegin on/],
  ["state-everywhere", "X31", /no state in a message that changes none/],
  ["no-request-id", "X32", /a UUID as request_id/],
  ["wrong-kind", "X32", /InteractionSettled of the hook/],
  ["never-cancels", "X33", /\$\/cancelRequest for/],
  ["no-status", "X34", /TurnEnd with .*finished/],
  ["runs-again", "X35", /a result/],
  ["unmarked", "X36", /an integer as seq of every event/],
  ["no-outcomes", "X36", /how .* was settled/],
  ["early-alive", "X37", /nothing but alive, and that after 15 s/],
  ["any-token", "G01", /the close code 4401/],
  ["any-host", "G02", /the HTTP status 403/],
  ["any-origin", "G02", /the HTTP status 403/],
  ["any-id", "G03", /the close code 4404/],
  ["any-length", "G04", /the close code 1009/],
  ["last-answer", "G05", /the output .*Blue/],
  ["no-name", "X51", /InteractionSettled with .*bob/],
  ["refuses-alike", "X52", /an error with .*-32014/],
  ["no-client-id", "X53", /the close code 4409/],
  ["empty-pending", "X54", /session with .*pending/],
  ["no-return", "X54", /./],
  ["no-client-id", "X54", /no request QuestionRequest/],
  ["never-resets", "X55", /reset for another stream/],
  ["keeps-all", "X55", /no event ContentPart/],
  ["no-client-id", "X56", /the event InteractionOpened/],
  ["counts-wrong", "X57", /the session of the client/],
  ["any-session", "X58", /an error with .*-32011/],
  ["forgets-answers", "X59", /a result/],
  ["long-patience", "X61", /the close code of the client that did not read/],
  ["takes-it-as-declined", "X62", /a result/],
  ["no-client-id", "X63", /the close code 4409/],
  ["no-limit", "X60", /an error with .*-32020/],
];

/** The checks that catch a mutant of the server or the gateway in Python, which python-server.test.ts runs. */
function caughtMutants(): (string | undefined)[] {
  return ["server", "gateway"].flatMap((kind) => {
    const list = new URL(`python/${kind}-mutants.json`, import.meta.url);
    const mutants: { caught?: string }[] = JSON.parse(readFileSync(list, "utf8"));
    return mutants.map(({ caught }) => caught);
  });
}

/** It waits for 15 s where nothing is broken; the whole suite does that. */
const slow = "X37";

/** The checks of the extended profile and of gateways. */
function idsOf(subject: string): string[] {
  const { checks } = subject === "gateway" ? gatewaySuite : serverSuite;
  return checks.map(({ id }) => id).filter((id) => /^[GX]/.test(id));
}

describe.concurrent("a server of the extended profile with one fault is found out", () => {
  test("there is a fault for each check of the profile and of gateways", () => {
    const ids = ["server", "gateway"].flatMap(idsOf);
    const broken = new Set([...found.map(([, id]) => id), ...caughtMutants()]);
    expect(ids.filter((id) => !broken.has(id))).toEqual([]);
  });

  test.each(["server", "gateway"])("without a fault each check of a %s is green", async (subject) => {
    const ids = idsOf(subject).filter((id) => id !== slow);
    const { green, others } = await check(ids);
    expect(others).toEqual([]);
    expect(green).toEqual(ids);
  });

  test.each([
    ["server", ["X02"]],
    ["gateway", ["G01", "G02", "G03", "G04", "G05", "G06", "G07", "G08", "G09", "G10"]],
  ])("where a %s has only the base profile, the others are skipped and say why", async (subject, run) => {
    const { green, others } = await check(idsOf(subject), "base-only");
    expect(green).toEqual(run);
    const why = "its result of initialize has no askwire, so it keeps to the base profile";
    expect(new Set(others.map(({ status, reason }) => `${status}: ${reason}`))).toEqual(
      new Set([`skipped: ${why}`]),
    );
  });

  test.each(found)("%s turns %s red, and the failure says what was expected", async (fault, id, expected) => {
    const { green, others } = await check([id], fault);
    expect(green).toEqual([]);
    expect(others.map((result) => [result.id, result.status])).toEqual([[id, "failed"]]);
    expect(others[0]?.failure?.expected).toMatch(expected);
  });
});
