// Runs clients over libraries of JSON-RPC in Python and Go, unchanged, against an agent of ours: each is asked and
// answers. It says by name what it left out, and why. Those of npm have a test: foreign-libraries.test.ts.
// Usage: node scripts/foreign-clients.mjs, after `npm run build`.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const sources = fileURLToPath(new URL("foreign-clients/", import.meta.url));
const agent = fileURLToPath(new URL("../examples/test/drives/asking-agent.mjs", import.meta.url));
/** The time of an installation and of a conversation, in milliseconds: far longer than they take. */
const INSTALLING = 180_000;
const TALKING = 60_000;

const question = {
  questions: [{ question: "Which colour, für dich?", options: [{ label: "Red" }, { label: "Blue" }] }],
};
const approval = { sender: "Painter", action: "paint", description: "Paint it blue" };
const failed = { status: "unavailable", reason: "protocol_error" };
/** A question, the client's reaction to it, and how the agent's request then ended. */
const turns = [
  {
    asked: question,
    reaction: { answers: { "Which colour, für dich?": "Blue" } },
    ended: { status: "answered", told: '"selected":["q1_o2"]' },
  },
  { asked: question, reaction: { answers: {} }, ended: { status: "declined", reason: "dismissed" } },
  {
    asked: approval,
    reaction: { response: "approve" },
    ended: { status: "answered", told: '"response":"approve"' },
  },
  {
    asked: approval,
    reaction: { response: "reject" },
    ended: { status: "answered", told: '"response":"reject"' },
  },
  { asked: question, reaction: "crash", ended: failed },
  { asked: approval, reaction: "crash", ended: failed },
  { asked: question, reaction: "cancel", ended: "cancelled" },
];

const tell = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** Runs a command. @returns why it failed, or undefined. */
function problemOf(/** @type {string} */ command, /** @type {string[]} */ args, options = {}) {
  const { status, error, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    timeout: INSTALLING,
    ...options,
  });
  if (status === 0) return undefined;
  if (error !== undefined && "code" in error && error.code === "ENOENT") return `${command} is not installed`;
  return error?.message ?? stderr.trim().split("\n").at(-1) ?? `it ended with ${status}`;
}

/** Installs pygls in an environment of its own. */
function pygls(/** @type {string} */ folder) {
  const python = join(folder, "python", process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  const pip = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--require-hashes", "-r"];
  const problem =
    problemOf("python3", ["-m", "venv", join(folder, "python")]) ??
    problemOf(python, [...pip, join(sources, "requirements.txt")]);
  return { problem, command: [python, join(sources, "pygls_client.py")] };
}

/** Builds the client in Go for one of its two framings. */
function sourcegraph(/** @type {string} */ folder, /** @type {"lines" | "headers"} */ framing) {
  const cwd = join(folder, framing);
  cpSync(join(sources, "go"), cwd, { recursive: true });
  return {
    problem: problemOf("go", ["build", "-o", "client", "."], { cwd }),
    command: [join(cwd, "client"), framing],
  };
}

/** The clients by name; each gives the command of the client, or the problem why there is none. */
const clients = {
  "pygls 2.1.1 in Python": pygls,
  "sourcegraph/jsonrpc2 0.2.3 in Go, by lines": (/** @type {string} */ folder) =>
    sourcegraph(folder, "lines"),
  "sourcegraph/jsonrpc2 0.2.3 in Go, under headers": (/** @type {string} */ folder) =>
    sourcegraph(folder, "headers"),
};

/** Holds the conversation. @returns what came otherwise than it should, or undefined. */
function faultOf(/** @type {string[]} */ [program = "", ...args]) {
  const told = turns.map(({ asked, reaction }) => ({ prompt: JSON.stringify(asked), reaction }));
  const given = [...args, JSON.stringify(told), process.execPath, agent];
  const { stdout, stderr, status, error } = spawnSync(program, given, { encoding: "utf8", timeout: TALKING });
  if (error !== undefined || status !== 0) return `${error?.message ?? `it ended with ${status}`}\n${stderr}`;
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const wrong = turns.findIndex(({ ended }, nth) => !isEndedSo(lines[nth], ended));
  return wrong === -1 ? undefined : `turn ${wrong + 1} ended otherwise: ${JSON.stringify(lines[wrong])}`;
}

/** True where a turn ended as it should. @param {any} line @param {any} ended */
function isEndedSo(line, ended) {
  if (ended === "cancelled") return line?.status === "cancelled";
  if (line?.status !== "finished") return false;
  const { status, reason, told } = JSON.parse(line.said);
  return (
    status === ended.status &&
    reason === ended.reason &&
    (ended.told === undefined || JSON.stringify(told).includes(ended.told))
  );
}

const folder = mkdtempSync(join(tmpdir(), "foreign-clients-"));
try {
  for (const [name, make] of Object.entries(clients)) {
    const { problem, command } = make(folder);
    const fault = problem === undefined ? faultOf(command) : undefined;
    if (problem !== undefined) tell(`skipped  ${name}: ${problem}`);
    else tell(fault === undefined ? `ok       ${name}: ${turns.length} turns` : `FAILED   ${name}: ${fault}`);
    if (fault !== undefined) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
