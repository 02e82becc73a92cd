import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { AttachedSession } from "@askwire/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeAgent } from "../src/client/agent-program.js";
import { questionById, settledBy } from "../src/client/answers-by-id.js";
import { clientSuite } from "../src/client/client-suite.js";
import { playSession } from "../src/client/played-session.js";
import {
  approvalPayload,
  eventMessage,
  goOn,
  questionPayload,
  requestMessage,
  textMessage,
  toolCall,
  toolResultMessage,
} from "../src/client/server-messages.js";
import { isGreen, textReport } from "../src/report/report.js";
import { readLine } from "../src/server/invariants.js";

const program = (path: string) => [process.execPath, fileURLToPath(new URL(path, import.meta.url))];

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "askwire-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Known differences of the official SDK's client, version 0.1.8. */
const knownOfSdk = new Map([
  ["C03", "gives up on a server that does not know initialize"],
  ["C07", "waits for initialize without a limit"],
  ["C11", "dies on a line that is null"],
  ["C14", "writes U+2028 as it is"],
  ["C22", "never answers a request of an unknown type"],
  ["C23", "never answers a request that does not fit"],
  ["C25", "answers with the payload's id, whatever the request's id is"],
  ["C36", "drops requests that come outside a turn"],
]);
/** Of the others, those on which most servers rest. */
const promisesOfSdk = ["C01", "C02", "C08", "C12", "C17", "C24", "C26", "C27", "C28", "C35", "C44", "C54"];

// Both wait for what never comes.
test.concurrent("our client keeps every promise that can be checked", async () => {
  const command = [...program("../../../examples/conformance-client.mjs"), "{url}"];
  const report = await clientSuite.run({ command, concurrency: 4, timeoutMs: 60_000 });
  expect(isGreen(report), textReport(report)).toBe(true);
  const skipped = report.results.filter(({ status }) => status === "skipped").map(({ id }) => id);
  expect(skipped).toEqual([...needActs, ...clientSuite.exceptions.map(({ id }) => id)]);
});

/** Checks that order acts which no variable says. */
const needActs = ["C31", "C49", "C52", "C53", "CX33", "CX34"];

test.concurrent("our client keeps the promises about a person also where each act of its person is a line on its standard input", async () => {
  const command = [...program("../../../examples/conformance-client.mjs"), "{url}"];
  const answered = ["C24", "C27", "C28", "C30", "C35", "CX06", "CX07", "CX08", "CX09", "CX10", "CX11"];
  const takenAway = ["C70", "C71", "C72"];
  const only = new Set([...answered, ...takenAway, ...needActs]);
  const acts = { to: "stdin" } as const;
  const report = await clientSuite.run({ command, only, acts, concurrency: 4, timeoutMs: 60_000 });
  expect(isGreen(report), textReport(report)).toBe(true);
  expect(report.results.filter(({ status }) => status !== "passed")).toEqual([]);
});

test.concurrent("the client of the official SDK breaks the promises that it is known to break, and no others", async () => {
  const command = program("clients/sdk-client.mjs");
  const only = new Set([...knownOfSdk.keys(), ...promisesOfSdk]);
  const report = await clientSuite.run({ command, only, concurrency: 6, timeoutMs: 20_000, retries: 0 });
  const red = report.results.filter(({ status }) => status === "failed").map(({ id }) => id);
  expect(red, textReport(report)).toEqual([...knownOfSdk.keys()]);
});

test("every line of the list about clients is a check or an exception with its reason, and the profile has its own", () => {
  const { checks, exceptions } = clientSuite;
  const numbered = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${String(index + 1).padStart(2, "0")}`);
  const ids = [...numbered("C", 77), ...numbered("CX", 43)];
  expect([...checks, ...exceptions].map(({ id }) => id).sort()).toEqual(ids);
  expect(exceptions).toHaveLength(8);
  expect(exceptions.filter(({ why }) => why.length < 20)).toEqual([]);
  expect(new Set(checks.map(({ title }) => title)).size).toBe(checks.length);
});

/** A client that says when it has started its agent, and then does nothing. */
const idleClient = (port: number) => `
  const agent = require("node:child_process").spawn(process.env.ASKWIRE_CONFORMANCE_AGENT, ["--wire"]);
  const socket = require("node:net").connect(${port}, "127.0.0.1", () => socket.write(String(agent.pid)));
`;

test("an interruption ends the client and leaves no folder behind", async () => {
  vi.stubEnv("TMPDIR", await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = new AbortController();
  const run = clientSuite.run({
    command: [process.execPath, "-e", idleClient(port)],
    concurrency: 1,
    signal: stop.signal,
    timeoutMs: 60_000,
  });
  const [socket] = (await once(server, "connection")) as [Socket];
  await once(socket, "data");
  const closed = once(socket, "close");
  socket.on("error", () => {});
  stop.abort();
  const { results } = await run;
  await closed;
  expect(results.find(({ id }) => id === "C01")?.failure?.received).toContain("interruption");
  expect(await readdir(tmpdir())).toEqual([]);
});

test("a command that does not launch the agent is reported, with what it said", async () => {
  const command = [process.execPath, "-e", 'console.error("no such option"); process.exit(2)'];
  const { results, unreachable } = await clientSuite.run({ command, only: new Set(["C02"]) });
  expect(unreachable).toMatchObject({
    expected: "the command to launch the agent",
    received: "the end of the process (exit status 2)",
  });
  expect(unreachable?.transcript).toContainEqual({ kind: "stderr", text: "no such option" });
  expect(results).toEqual([]);
});

test("a command that is not there ends the run with one failure", async () => {
  const { results, unreachable } = await clientSuite.run({ command: ["/nowhere/client"] });
  expect(unreachable?.received).toContain("could not be started: spawn /nowhere/client ENOENT");
  expect(results).toEqual([]);
});

test("the agent answers `info --json`, which some clients ask first, also from a path with blanks and quotes", async () => {
  const executable = join(await temporaryFolder(), "it's an agent");
  const agent = await writeAgent(executable, "/nowhere/socket");
  const windowsAgent = await writeAgent(`${executable} on Windows`, "/nowhere/socket", { platform: "win32" });
  for (const { file, words } of [agent, windowsAgent]) {
    const { stdout } = await promisify(execFile)(file, [...words, "info", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ kimi_cli_version: "1.49.0", wire_protocol_version: "1.10" });
  }
  expect([agent.words, windowsAgent.file]).toEqual([[], process.execPath]);
});

test("an embedder whose own program is no Node says by which words the agents of clients run", async () => {
  const path = join(await temporaryFolder(), "agent");
  const node = [process.execPath, "--no-warnings"];
  const posix = await writeAgent(path, "/nowhere/socket", { node });
  const windows = await writeAgent(path, "/nowhere/socket", { node, platform: "win32" });
  const { stdout } = await promisify(execFile)(posix.file, ["info"]);
  expect(JSON.parse(stdout)).toHaveProperty("wire_protocol_version");
  expect(await readFile(path, "utf8")).toContain(" '--no-warnings' ");
  expect(windows).toEqual({ file: process.execPath, words: ["--no-warnings", `${path}.cjs`] });
});

test("the suite as an agent says only messages that a server may say, unless a check wants otherwise", () => {
  const said = [
    eventMessage("TurnBegin", { user_input: "go" }),
    eventMessage("StepBegin", { n: 1 }),
    textMessage("Hello"),
    toolCall("call_1", "AskUserQuestion"),
    requestMessage("QuestionRequest", questionPayload([goOn])),
    requestMessage("ApprovalRequest", approvalPayload()),
    toolResultMessage("call_1", "{}"),
    eventMessage("TurnEnd", {}),
  ];
  for (const message of said) {
    const whole = { jsonrpc: "2.0", ...message };
    expect(readLine(Buffer.from(JSON.stringify(whole)), "base")).toEqual({ message: whole });
  }
});

test("the suite in the extended profile says only messages that a server of the profile may say", () => {
  const session = playSession();
  session.turnId = "turn-1";
  const question = questionById();
  const call = { id: "t-1", name: "CountAndSay", arguments: "{}", request_id: randomUUID() };
  const said = [
    session.event("TurnBegin", { user_input: "go", turn_id: session.turnId }),
    session.event("StepBegin", { n: 1 }),
    session.opens("QuestionRequest", question),
    session.opens("ApprovalRequest", approvalPayload()),
    session.settles(question.id, "question", settledBy("somebody")),
    session.opens("ToolCallRequest", call),
    session.event("TurnEnd", { turn_id: session.turnId, status: "finished" }),
    ...session.missed(0),
  ];
  for (const message of said) {
    const whole = { jsonrpc: "2.0", ...message };
    expect(readLine(Buffer.from(JSON.stringify(whole)), "extended")).toEqual({ message: whole });
  }
  const { session: found } = session.greeting() as { session: unknown };
  expect(AttachedSession.parse(found)).toMatchObject({ state: "waiting", seq: 7, reset: false });
});

test("a command that is given an address and does not connect is reported", async () => {
  const command = [process.execPath, "-e", "process.exit(2)", "{url}"];
  const { results } = await clientSuite.run({ command, only: new Set(["CX19"]), probes: false, retries: 0 });
  expect(results[0]?.failure).toMatchObject({
    expected: "the command to open a WebSocket",
    received: "the end of the process (exit status 2)",
  });
});
