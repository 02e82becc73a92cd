import { describe, expect, test } from "vitest";
import type { ClientTool } from "../src/index.js";
import { extendedServer, outcome } from "./extended-server.js";

const call = (request_id: string, id = "tc-1") => ({ id, request_id, name: "Weather", arguments: "{}" });

/** A tool that ends when the test says, and the signals of its runs. */
function weather() {
  const runs: { signal: AbortSignal; end(text: string): void }[] = [];
  const tool: ClientTool = {
    name: "Weather",
    description: "",
    parameters: { type: "object" },
    run: (_args, { signal }) => new Promise((end) => void runs.push({ signal, end })),
  };
  return { runs, tools: [tool] };
}

const said = (text: string) => ({ result: { tool_call_id: "tc-1", return_value: { output: text } } });

describe("a tool call over connections (P-XTH-2)", () => {
  test("a running call is run once and answered once, on the newest connection", async () => {
    const { runs, tools } = weather();
    const { line, back } = await extendedServer({ tools });
    line.ask("ToolCallRequest", call("u-1"));
    await line.settled();
    await line.cut();
    const { line: second } = await back({ pending: ["u-1"] });
    second.askAgain("ToolCallRequest", call("u-1"), "tc-1#2");
    await second.settled();
    runs[0]?.end("sunny");
    expect(await second.next()).toMatchObject({ id: "tc-1#2", ...said("sunny") });
    await second.settled();
    expect(runs).toHaveLength(1);
  });

  test("an answered call is answered again; another with the model's same id is another call", async () => {
    const { runs, tools } = weather();
    const { line, back } = await extendedServer({ tools });
    line.ask("ToolCallRequest", call("u-1"));
    await line.settled();
    runs[0]?.end("sunny");
    expect(await line.next()).toMatchObject(said("sunny"));
    await line.cut();
    const { line: second } = await back({ pending: ["u-1"] });
    second.askAgain("ToolCallRequest", call("u-1"));
    expect(await second.next()).toMatchObject(said("sunny"));
    second.ask("ToolCallRequest", call("u-2"));
    await second.settled();
    runs[1]?.end("rainy");
    expect(await second.next()).toMatchObject(said("rainy"));
    expect(runs).toHaveLength(2);
  });

  test("10,000 calls run at once, over all connections, and one more is refused", async () => {
    const { runs, tools } = weather();
    const { line, back } = await extendedServer({ tools });
    const pending = Array.from({ length: 10_000 }, (_, n) => `u-${n}`);
    for (const id of pending) line.ask("ToolCallRequest", call(id), id);
    await line.settled();
    await line.cut();
    const { line: second } = await back({ pending });
    second.ask("ToolCallRequest", call("one-more"), "tc-more");
    expect(await second.next()).toMatchObject({
      id: "tc-more",
      error: { code: -32020, data: { limit: "runningCalls" } },
    });
    expect(runs).toHaveLength(10_000);
  });

  test("a call that comes again under its number is answered again, and misses nothing", async () => {
    const { runs, tools } = weather();
    const { line, numbers } = await extendedServer({ tools });
    line.ask("ToolCallRequest", call("u-1"));
    await line.settled();
    runs[0]?.end("sunny");
    expect(await line.next()).toMatchObject(said("sunny"));
    const params = { type: "ToolCallRequest", payload: call("u-1"), seq: numbers.seq };
    line.send({ method: "request", id: "again", params });
    expect(await line.next()).toMatchObject({ id: "again", ...said("sunny") });
    expect(runs).toHaveLength(1);
  });

  test("a call that ends while the connection is lost is answered after the return", async () => {
    const { runs, tools } = weather();
    const { line, back } = await extendedServer({ tools });
    line.ask("ToolCallRequest", call("u-1"));
    await line.settled();
    await line.cut();
    runs[0]?.end("sunny");
    const { line: second } = await back({ pending: ["u-1"] });
    second.askAgain("ToolCallRequest", call("u-1"));
    expect(await second.next()).toMatchObject(said("sunny"));
  });
});

describe("a call that is settled without this client (P-XST-4, P-XCL-6)", () => {
  const overtaken = async (settle: (line: Awaited<ReturnType<typeof extendedServer>>["line"]) => void) => {
    const { runs, tools } = weather();
    const { line, session } = await extendedServer({ tools });
    line.ask("ToolCallRequest", call("u-1"));
    await line.settled();
    settle(line);
    return { run: runs[0], line, session };
  };

  test("a call is overtaken by $/cancelRequest", async () => {
    const { run, line } = await overtaken((line) =>
      line.send({ method: "$/cancelRequest", params: { id: "tc-1" } }),
    );
    expect(await line.next()).toMatchObject({ result: { return_value: { is_error: true } } });
    expect(run?.signal.reason).toMatchObject({ name: "AbortError" });
  });

  test("a call is overtaken by InteractionSettled", async () => {
    const { run, line } = await overtaken((line) => line.settle("u-1", outcome));
    await line.next();
    expect(run?.signal.aborted).toBe(true);
  });

  test("a call is overtaken by the end of the session", async () => {
    const { run, session } = await overtaken(() => {});
    await session.close();
    expect(run?.signal.aborted).toBe(true);
  });

  test("a call is overtaken by its absence after a reconnection; what is still open continues, also after a reset", async () => {
    const { runs, tools } = weather();
    const { line, back } = await extendedServer({ tools });
    line.ask("ToolCallRequest", call("u-1"));
    line.ask("ToolCallRequest", call("u-2"), "tc-1#2");
    await line.settled();
    await line.cut();
    const { line: second } = await back({ pending: ["u-2"], reset: true });
    await second.settled();
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });
});

test("a hook is run once too, and its answer is kept (P-XTH-2)", async () => {
  let runs = 0;
  const hooks = [{ event: "PreToolUse", run: () => ({ block: `no ${++runs}` }) }];
  const { line, back } = await extendedServer({ hooks });
  const request = { id: "h-1", request_id: "u-1", subscription_id: "hook-1", event: "PreToolUse" };
  const hook = { ...request, target: "Shell", input_data: {} };
  const blocked = { request_id: "h-1", action: "block", reason: "no 1" };
  line.ask("HookRequest", hook);
  expect(await line.next()).toMatchObject({ id: "h-1", result: blocked });
  await line.cut();
  const { line: second } = await back({ pending: ["u-1"] });
  second.ask("HookRequest", hook);
  expect(await second.next()).toMatchObject({ id: "h-1", result: blocked });
});

test("only the last 256 answers are kept: what came before is run again", async () => {
  let runs = 0;
  const tools = [{ name: "Weather", description: "", parameters: {}, run: () => String(++runs) }];
  const { line } = await extendedServer({ tools });
  for (let n = 0; n <= 256; n++) {
    line.ask("ToolCallRequest", call(`u-${n}`));
    expect(await line.next()).toMatchObject(said(String(n + 1)));
  }
  line.ask("ToolCallRequest", call("u-1"));
  expect(await line.next()).toMatchObject(said("2"));
  line.ask("ToolCallRequest", call("u-0"));
  expect(await line.next()).toMatchObject(said("258"));
});
