import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { clientSuite } from "../src/client/client-suite.js";
import { textReport } from "../src/report/report.js";
import { acting, brokenActors } from "./clients/broken-actors.js";
import { pace } from "./this-machine.js";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const command = file("../bin/askwire-conformance.js");
const ownClient = [process.execPath, file("../../../examples/conformance-client.mjs")];
const windowed = [process.execPath, file("clients/windowed-client.mjs")];
const press = file("clients/press.mjs");
/** A client that keeps every promise by its variables, and reads nothing. */
const withoutInput = [process.execPath, file("clients/broken-client.mjs"), "has no fault"];

/** Runs checks with acts that go somewhere. */
const check = (ids: readonly string[], acts: "stdin" | "program", client: readonly string[]) =>
  clientSuite.run({
    command: client,
    only: new Set(ids),
    acts: acts === "stdin" ? { to: "stdin" } : { to: "program", file: press },
    timeoutMs: 60_000,
    probes: false,
    pace,
  });

test("a program of the author's does each act at a client that reads nothing itself", async () => {
  const ids = ["C24", "C27", "C31", "C35", "C49", "C53"];
  const report = await check(ids, "program", windowed);
  const green = report.results.filter(({ status }) => status === "passed").map(({ id }) => id);
  expect(green.sort(), textReport(report)).toEqual(ids);
});

test("a program that ends with 3 says that the client has no way to do the act, and the check is skipped", async () => {
  const { results } = await check(["C52"], "program", windowed);
  expect(results).toMatchObject([{ status: "skipped", reason: "its person has no way to steer" }]);
});

test("a program that fails is a fault, with what it said, and accuses no client", async () => {
  const { results } = await check(["CX33"], "program", windowed);
  expect(results[0]?.status).toBe("fault");
  expect(results[0]?.failure?.received).toMatch(
    /press\.mjs: .*exit status 1.*"do":"discuss".*button is not there/s,
  );
});

test("a small client that does as it is told is green", async () => {
  const ids = ["C31", "C49", "C52", "C53"];
  const report = await check(ids, "stdin", acting("has no fault"));
  const green = report.results.filter(({ status }) => status === "passed").map(({ id }) => id);
  expect(green, textReport(report)).toEqual(ids);
});

test.concurrent.each(brokenActors)("a client that %s is seen by %s", async (_fault, id, client, expected) => {
  const { results } = await clientSuite.run({
    command: client,
    only: new Set([id]),
    acts: { to: "stdin" },
    timeoutMs: 6_000,
    probes: false,
    retries: 0,
    pace,
  });
  expect(results.map(({ status }) => status)).toEqual(["failed"]);
  expect(results[0]?.failure?.expected).toContain(expected);
});

test("the report shows what the person did, in words", async () => {
  const report = await clientSuite.run({
    command: ownClient,
    only: new Set(["C31"]),
    acts: { to: "stdin" },
    traces: true,
    timeoutMs: 60_000,
  });
  const notes = report.results[0]?.trace?.flatMap(({ kind, text }) => (kind === "note" ? [text] : []));
  expect(notes).toContain("the person: Answer: “Shall I go on?”: choose “No”.");
});

test("a client says by a line of its output that it has no way to do an act", async () => {
  const says = 'process.stdout.write(\'{"cannot":"steer"}\\n\')';
  const program = [process.execPath, "--import", `data:text/javascript,${encodeURIComponent(says)}`];
  const { results } = await check(["C52"], "stdin", [...program, ...ownClient.slice(1)]);
  expect(results).toMatchObject([{ status: "skipped", reason: "its person has no way to steer" }]);
});

test("a human is told what to do, and says by s that there is no way to do it", async () => {
  const args = ["client", "--acts", "terminal", "--only", "C24,C52", "--", ...withoutInput];
  const human = spawn(process.execPath, [command, ...args]);
  onTestFinished(() => void human.kill("SIGKILL"));
  const output = text(human.stdout);
  let told = "";
  human.stderr.setEncoding("utf8").on("data", (words: string) => {
    told += words;
    if (words.includes("tell it “be quick”")) human.stdin.write("s\n");
  });
  const [status] = await once(human, "exit");
  expect(await output).toContain("skip C52");
  expect(told).toMatch(/^Do at your client what each line says\..*\n/);
  expect(told).toContain("Send the prompt “Set up the project”.\n");
  expect(told).toContain("Answer: “Which database?”: choose “PostgreSQL”; “Which license?”: choose “MIT”.\n");
  expect(status).toBe(0);
});

test.each([
  [["server", "--acts", "stdin", "--", "true"], /--acts stdin: only a client has a person/],
  [["client", "--acts", "./no-such-program", "--", "true"], /\.\/no-such-program: no such command/],
])("the options %j are refused with what is wrong", async (args, message) => {
  const child = spawn(process.execPath, [command, ...args]);
  const said = text(child.stderr);
  const [status] = await once(child, "exit");
  expect(await said).toMatch(message);
  expect(status).toBe(2);
});
