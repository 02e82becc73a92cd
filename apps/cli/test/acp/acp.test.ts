import { PassThrough, Readable, Writable } from "node:stream";
import { client, ndJsonStream } from "@agentclientprotocol/sdk";
import type { ApprovalView, ClientHandlers } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { askwire, command, startAskwire } from "../askwire.js";
import { gatewayOf, newHome } from "../mcp/hosts.js";
import { agent, permission } from "./permission.js";

/** An editor that has started the command in its agent's place, and never answers by itself. */
async function editor(home: string, command: readonly string[] = [process.execPath, agent]) {
  const { child, ended } = startAskwire(["acp", "--", ...command], {
    env: { ...process.env, ASKWIRE_HOME: home },
  });
  const said: string[] = [];
  let taken = 0;
  const app = client({ name: "editor" })
    .onRequest("session/request_permission", ({ signal }) => {
      signal.addEventListener("abort", () => {
        taken += 1;
      });
      return new Promise<never>(() => {});
    })
    .onNotification("session/update", ({ params: { update } }) => {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
        said.push(update.content.text);
    });
  // The output is read as text, and the SDK wants bytes.
  const output = child.stdout.pipe(new PassThrough());
  const { agent: proxied } = app.connect(
    ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(output) as ReadableStream<Uint8Array>),
  );
  await proxied.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await proxied.request("session/new", { cwd: home, mcpServers: [] });
  return {
    ...{ child, ended, taken: () => taken },
    async run(...script: readonly unknown[]): Promise<unknown> {
      const prompt = [{ type: "text" as const, text: JSON.stringify(script) }];
      await proxied.request("session/prompt", { sessionId, prompt });
      return JSON.parse(said.at(-1) as string);
    },
  };
}

/** Somebody at the gateway that runs in a home. */
async function person(home: string, handlers: ClientHandlers) {
  await expect.poll(() => gatewayOf(home), { timeout: 60_000 }).toBeDefined();
  const session = await connectWebSocket(gatewayOf(home)?.address ?? "", {
    client: { name: "person" },
    shows: { approvalOptions: true },
    handlers,
  });
  onTestFinished(() => session.close());
}

test("an editor's agent is answered at the gateway, and the editor takes its card away", async () => {
  const home = await newHome();
  const { run, taken } = await editor(home);
  const running = run(["request", "session/request_permission", permission]);
  const views: ApprovalView[] = [];
  await person(home, {
    approval(view) {
      views.push(view);
      return { option: "yes" };
    },
  });
  expect(await running).toEqual({ result: { outcome: { outcome: "selected", optionId: "yes" } } });
  await expect.poll(taken).toBe(1);
  expect(views[0]?.program?.origin).toEqual({ host: "Scripted agent", folder: home, tool: "npm test" });
});

test("two editors whose agents ask alike are two cards, and each has its own answer", async () => {
  const home = await newHome();
  const [one, other] = [await editor(home), await editor(home)];
  const first = one.run(["request", "session/request_permission", permission]);
  let asked = 0;
  await person(home, {
    approval() {
      asked += 1;
      return { option: asked === 1 ? "yes" : "no" };
    },
  });
  expect(await first).toEqual({ result: { outcome: { outcome: "selected", optionId: "yes" } } });
  const second = other.run(["request", "session/request_permission", permission]);
  expect(await second).toEqual({ result: { outcome: { outcome: "selected", optionId: "no" } } });
  expect(asked).toBe(2);
});

test("one of two proxies before one agent asks, and its answer passes the other", async () => {
  const home = await newHome();
  const { run } = await editor(home, [process.execPath, command, "acp", "--", process.execPath, agent]);
  const running = run(["request", "session/request_permission", permission]);
  let asked = 0;
  await person(home, {
    approval() {
      asked += 1;
      return { option: "yes" };
    },
  });
  expect(await running).toEqual({ result: { outcome: { outcome: "selected", optionId: "yes" } } });
  expect(asked).toBe(1);
});

test("a gateway that is killed is asked again in its next life", async () => {
  const home = await newHome();
  const { run } = await editor(home);
  const running = run(["request", "session/request_permission", permission]);
  let asked = 0;
  await person(home, {
    approval() {
      asked += 1;
      return new Promise(() => {});
    },
  });
  await expect.poll(() => asked).toBe(1);
  const killed = gatewayOf(home)?.pid as number;
  process.kill(killed, "SIGKILL");
  await expect.poll(() => gatewayOf(home)?.pid ?? killed, { timeout: 60_000 }).not.toBe(killed);
  await person(home, { approval: () => ({ option: "no" }) });
  expect(await running).toEqual({ result: { outcome: { outcome: "selected", optionId: "no" } } });
});

test("an editor that hangs up ends the agent and takes back what is open", async () => {
  const home = await newHome();
  const { run, child, ended } = await editor(home);
  void run(["request", "session/request_permission", permission]).catch(() => {});
  let isOpen = false;
  await person(home, {
    approval: (_view, { signal }) => {
      isOpen = true;
      signal.addEventListener("abort", () => {
        isOpen = false;
      });
      return new Promise(() => {});
    },
  });
  await expect.poll(() => isOpen).toBe(true);
  child.stdin.end();
  expect(await ended).toMatchObject({ status: 0 });
  await expect.poll(() => isOpen).toBe(false);
});

test("an agent that crashes fails the editor's prompt with its end and its last words", async () => {
  const home = await newHome();
  const { run, ended } = await editor(home);
  await expect(run(["exit", 3, "out of memory"])).rejects.toMatchObject({
    code: -32603,
    message: expect.stringMatching(/ended with status 3: out of memory$/),
  });
  expect((await ended).stderr).toMatch(/askwire: acp: .* ended with status 3: out of memory\n$/);
});

test.each([
  [["acp"], 2, /acp: expected a program, such as: askwire acp -- claude-agent-acp/],
  [
    ["acp", "--", "no-such-agent"],
    1,
    /acp: no-such-agent cannot be started .*: expected the command of an ACP agent/,
  ],
  [["acp", "--", process.execPath, "-e", "console.error('no key'); process.exit(7)"], 7, /^no key\n$/],
])("askwire %j ends with a word and a code that say why", async (args, status, words) => {
  const ended = await askwire(args, { env: { ...process.env, ASKWIRE_HOME: await newHome() } });
  expect(ended).toMatchObject({ status, stdout: "" });
  expect(ended.stderr).toMatch(words);
});
