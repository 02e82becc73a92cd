import { describe, expect, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { deaths, dyingHost, takenBack } from "../dying-host.js";
import { someone } from "../hook/someone.js";
import { colour, gatewayOf, newHome, startHost } from "./hosts.js";

const info = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test-host", version: "1" },
};
const bash = { tool_name: "Bash", input: { command: "npm test" }, tool_use_id: "toolu_1" };
const args = ["mcp", "--approvals"];

/** A host that has come so far. */
async function host(home: string) {
  const started = await dyingHost(home, args);
  await started.request(1, "initialize", info);
  started.say({ jsonrpc: "2.0", method: "notifications/initialized" });
  return started;
}

/** A host that has asked for a permission and a question, and the person who sees both. */
async function askingHost(home: string) {
  const started = await host(home);
  const call = (id: number, name: string, given: object) =>
    started.say({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given } });
  call(2, "approve", bash);
  call(3, "ask_user_question", { questions: [colour] });
  const decision = deferred<{ option: string }>();
  const answer = deferred<{ answers: Record<string, string> }>();
  const person = await someone(home, {
    approval: () => decision.promise as never,
    question: () => answer.promise as never,
  });
  await expect.poll(() => [person.approvals.length, person.questions.length]).toEqual([1, 1]);
  return { ...started, person, decision, answer };
}

/** The questions that wait for an agent of the same name and folder, as the next host hears. */
async function nextHost(home: string) {
  const next = await startHost(home, { folder: process.cwd() });
  const { structuredContent } = await next.call("ask_user_status", {});
  return { next, open: structuredContent?.open, notFetched: structuredContent?.not_fetched };
}

describe.skipIf(process.platform === "win32").each(deaths)("a host that %s", (how) => {
  test("before initialize leaves no server and no gateway", async () => {
    const home = await newHome();
    const { die, untilGone } = await dyingHost(home, args);
    die(how);
    await untilGone();
    expect(gatewayOf(home)).toBeUndefined();
  });

  test("after initialize leaves no server and no gateway", async () => {
    const home = await newHome();
    const { die, untilGone } = await host(home);
    die(how);
    await untilGone();
    expect(gatewayOf(home)).toBeUndefined();
  });

  test("a host that leaves in tools/list has no server and no gateway left", async () => {
    const home = await newHome();
    const { die, say, untilGone } = await host(home);
    say({ jsonrpc: "2.0", id: 2, method: "tools/list", params: {} });
    die(how);
    await untilGone();
    expect(gatewayOf(home)).toBeUndefined();
  });

  test("with cards open leaves no server, takes its permission back, and its question is there for the next", async () => {
    const home = await newHome();
    const { die, untilGone, person } = await askingHost(home);
    die(how);
    await untilGone();
    await expect.poll(() => person.withdrawn, { timeout: 60_000 }).toEqual([person.approvals[0]?.id]);
    expect(person.ends).toEqual([takenBack]);
    expect((await nextHost(home)).open).toEqual([expect.objectContaining({ questions: [colour.question] })]);
  });

  test("before it has read the answers leaves no server, and a question of the same words is no yes from before", async () => {
    const home = await newHome();
    const { die, freeze, untilGone, person, decision, answer } = await askingHost(home);
    freeze();
    decision.resolve({ option: "once" });
    answer.resolve({ answers: { [colour.question]: "Red" } });
    await expect.poll(async () => (await nextHost(home)).open, { timeout: 60_000 }).toEqual([]);
    die(how);
    await untilGone();
    const { next } = await nextHost(home);
    const again = next.call("ask_user_question", { questions: [colour] });
    // The answer was on its way, so the person is asked anew.
    await expect.poll(() => person.questions.length, { timeout: 60_000 }).toBe(2);
    expect((await again).structuredContent).toMatchObject({ answers: { [colour.question]: "Red" } });
  });

  test("in the end of its server leaves no server, and takes its permission back", async () => {
    const home = await newHome();
    const { die, pid, untilGone, person } = await askingHost(home);
    process.kill(pid, "SIGTERM");
    die(how);
    await untilGone();
    await expect.poll(() => person.withdrawn, { timeout: 60_000 }).toEqual([person.approvals[0]?.id]);
    expect(person.ends).toEqual([takenBack]);
  });
});
