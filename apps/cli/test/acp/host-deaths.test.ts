import { describe, expect, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { childrenOf, deaths, dyingHost, takenBack } from "../dying-host.js";
import { someone } from "../hook/someone.js";
import { gatewayOf, newHome, untilThere } from "../mcp/hosts.js";
import { agent, permission } from "./permission.js";

/** An editor that has started the proxy, with the agent's process. */
async function editor(home: string) {
  const started = await dyingHost(home, ["acp", "--", process.execPath, agent]);
  const [agentPid] = await untilThere(() => {
    const children = childrenOf(started.pid);
    return children.length > 0 ? children : undefined;
  });
  return { ...started, agentPid: agentPid as number };
}

/** An editor that has introduced itself. */
async function introduced(home: string) {
  const started = await editor(home);
  await started.request(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
  return started;
}

/** An editor whose agent asks for a permission, and the person who sees it. */
async function askingEditor(home: string) {
  const started = await introduced(home);
  const { sessionId } = await started.request(2, "session/new", { cwd: home, mcpServers: [] });
  const text = JSON.stringify([["request", "session/request_permission", permission]]);
  const prompt = [{ type: "text", text }];
  started.say({ jsonrpc: "2.0", id: 3, method: "session/prompt", params: { sessionId, prompt } });
  const decision = deferred<{ option: string }>();
  const person = await someone(home, { approval: () => decision.promise as never });
  await expect.poll(() => person.approvals.length, { timeout: 60_000 }).toBe(1);
  return { ...started, person, decision };
}

describe.skipIf(process.platform === "win32").each(deaths)("an editor that %s", (how) => {
  test("before initialize leaves no proxy, no agent and no gateway", async () => {
    const home = await newHome();
    const { die, untilGone, agentPid } = await editor(home);
    die(how);
    await untilGone(agentPid);
    expect(gatewayOf(home)).toBeUndefined();
  });

  test("after initialize leaves no proxy and no agent", async () => {
    const { die, untilGone, agentPid } = await introduced(await newHome());
    die(how);
    await untilGone(agentPid);
  });

  test("an editor that leaves in session/new has no proxy and no agent left", async () => {
    const home = await newHome();
    const { die, say, untilGone, agentPid } = await introduced(home);
    say({ jsonrpc: "2.0", id: 2, method: "session/new", params: { cwd: home, mcpServers: [] } });
    die(how);
    await untilGone(agentPid);
  });

  test("with a permission open leaves no proxy and no agent, and the card is taken back", async () => {
    const { die, untilGone, agentPid, person } = await askingEditor(await newHome());
    die(how);
    await untilGone(agentPid);
    await expect.poll(() => person.ends, { timeout: 60_000 }).toEqual([takenBack]);
  });

  test("as the page has answered leaves no proxy and no agent", async () => {
    const { die, freeze, untilGone, agentPid, decision } = await askingEditor(await newHome());
    freeze();
    decision.resolve({ option: "yes" });
    die(how);
    await untilGone(agentPid);
  });

  test("in the end of its proxy leaves no proxy and no agent, and the card is taken back", async () => {
    const { die, pid, untilGone, agentPid, person } = await askingEditor(await newHome());
    process.kill(pid, "SIGTERM");
    die(how);
    await untilGone(agentPid);
    await expect.poll(() => person.ends, { timeout: 60_000 }).toEqual([takenBack]);
  });
});
