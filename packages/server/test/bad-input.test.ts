import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import {
  askUserQuestion,
  defineTool,
  keepIn,
  modelAgent,
  scriptedModel,
  sessionFolder,
  systemClock,
} from "../src/index.js";
import { approvedTool, asks, callLine, keptLog } from "./scenario.js";
import { type StdioClient, stdioClient } from "./stdio-client.js";

const hello = {
  id: "hello",
  method: "initialize",
  params: {
    protocol_version: "1.10",
    external_tools: [{ name: "Ext", description: "", parameters: {} }],
    hooks: [{ id: "h", event: "PreToolUse", matcher: "^Gated$" }],
    capabilities: { supports_question: true },
  },
};
const go = { id: "go", method: "prompt", params: { user_input: "go" } };

/** The client, with what lets the tool go on that holds its turn. */
interface Subject extends StdioClient {
  open(): void;
}

/** A state to be in: how to get there, and what must still work afterwards. */
interface State {
  readonly script?: string;
  readonly records?: number;
  enter(client: Subject): Promise<void>;
  leave(client: Subject): Promise<void>;
}

/** A turn in which something is asked; whatever happens, a right answer still ends it. */
const asking = (script: string, result: (id: string) => object): State => ({
  script,
  async enter(client) {
    client.send(hello);
    client.send(go);
    await client.until(() => client.asked.length === 1);
  },
  async leave(client) {
    const { id = "" } = client.asked[0] ?? {};
    expect(client.session.pending.length).toBe(1);
    client.send({ id, result: result(id) });
    await client.until(() => client.responses.has("go"));
    expect(client.answerTo("go").result).toEqual({ status: "finished" });
  },
});

const RECORDS = 3_000;
const nothing = async () => {};
const states: Record<string, State> = {
  "before initialize": { enter: nothing, leave: nothing },
  "when idle": {
    async enter(client) {
      client.send(hello);
      await client.quiet();
    },
    leave: nothing,
  },
  "while a question is open": asking(asks(), (id) => ({
    request_id: id,
    answers: { "Which colour?": "Red" },
  })),
  "while an approval is open": asking(callLine("Run", {}), (id) => ({ request_id: id, response: "approve" })),
  "while a client's tool runs": asking(callLine("Ext", {}), (id) => ({
    tool_call_id: id,
    return_value: { is_error: false, output: "", message: "", display: [] },
  })),
  "in a turn": {
    script: callLine("Gate", {}),
    async enter(client) {
      client.send(hello);
      client.send(go);
      await client.until(() => client.events.includes("ToolCall"));
    },
    async leave(client) {
      client.open();
      await client.until(() => client.responses.has("go"));
      expect(client.answerTo("go").result).toEqual({ status: "finished" });
    },
  },
  "while a hook is open": asking(callLine("Gated", {}), (id) => ({
    request_id: id,
    action: "block",
    reason: "no",
  })),
  "during a replay": {
    records: RECORDS,
    async enter(client) {
      client.send(hello);
      client.send({ id: "replay", method: "replay" });
    },
    async leave(client) {
      await client.until(() => client.responses.has("replay"));
      expect(client.answerTo("replay").result).toEqual({ status: "finished", events: RECORDS, requests: 0 });
    },
  },
};

/** A server whose session has a journal of so many records. */
function start({ script = "text: hello", records = 0 }: Partial<State> = {}): Subject {
  const share = mkdtempSync(join(tmpdir(), "askwire-bad-input-"));
  onTestFinished(() => rmSync(share, { recursive: true, force: true }));
  const workDir = share;
  const log = keptLog();
  const folder = sessionFolder({ share, workDir, id: "kept" });
  const record = JSON.stringify({ timestamp: 1, message: { type: "StepBegin", payload: { n: 1 } } });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "wire.jsonl"), `${record}\n`.repeat(records));
  const kept = keepIn({ share, workDir, log, clock: systemClock });
  let open = () => {};
  const opened = new Promise<string>((resolve) => {
    open = () => resolve("through");
  });
  const gate = defineTool({
    name: "Gate",
    description: "waits",
    parameters: z.looseObject({}),
    run: () => opened,
  });
  const client = stdioClient({
    agent: ({ history }) =>
      modelAgent({
        model: scriptedModel([script, "text: done"]),
        history,
        tools: [askUserQuestion, approvedTool("Run"), gate, { ...gate, name: "Gated" }],
      }),
    keep: () => kept("kept"),
    log,
  });
  return { ...client, open };
}

/** A line and its expected result: an error without an id, an error with its id, or nothing. */
const rows: Record<string, { line: object | string; nullId?: number; code?: number }> = {
  "no JSON": { line: "{not json", nullId: -32700 },
  "a blank line": { line: "", nullId: -32700 },
  "half of a message": { line: '{"jsonrpc":"2.0",', nullId: -32700 },
  "two messages": { line: '{"id":"a","method":"x"}{"id":"b","method":"x"}', nullId: -32700 },
  "a batch": { line: [{ id: "x", method: "cancel" }], nullId: -32600 },
  "a text": { line: '"x"', nullId: -32600 },
  "a number": { line: "7", nullId: -32600 },
  null: { line: "null", nullId: -32600 },
  "another JSON-RPC": { line: { jsonrpc: "1.0", id: "x", method: "cancel" }, nullId: -32600 },
  "a version that is a number": { line: { jsonrpc: 2, id: "x", method: "cancel" }, nullId: -32600 },
  "an id that is a number": { line: { id: 1, method: "cancel" }, nullId: -32600 },
  "an id that is a fraction": { line: { id: 1.5, method: "cancel" }, nullId: -32600 },
  "an id that is true": { line: { id: true, method: "cancel" }, nullId: -32600 },
  "an id that is an object": { line: { id: {}, method: "cancel" }, nullId: -32600 },
  "a method that is no text": { line: { id: "x", method: 5 }, nullId: -32600 },
  "a prompt without an id": { line: { method: "prompt", params: { user_input: "x" } } },
  "a cancel with id null": { line: { id: null, method: "cancel" } },
  "an unknown method": { line: { id: "x", method: "nope" }, code: -32601 },
  "a method of the other side": { line: { id: "x", method: "event", params: {} }, code: -32601 },
  "a method by another case": {
    line: { id: "x", method: "Prompt", params: { user_input: "" } },
    code: -32601,
  },
  "the empty method": { line: { id: "x", method: "" }, code: -32601 },
  "an unknown notification": { line: { method: "nope" } },
  "an empty object": { line: {} },
  "a version alone": { line: { jsonrpc: "2.0" } },
  "an id alone": { line: { id: "x" } },
  "a method and a result": { line: { id: "x", method: "cancel", result: {} } },
  "an error that is a text": { line: { id: "x", error: "no" }, nullId: -32600 },
  "an answer to nothing that is an error too": {
    line: { id: "x", result: {}, error: { code: 1, message: "no" } },
  },
  "an answer to nothing": { line: { id: "x", result: {} } },
  "an error to nothing": { line: { id: "x", error: { code: 1, message: "no" } } },
  "a prompt without input": { line: { id: "x", method: "prompt", params: {} }, code: -32602 },
  "a prompt with a number": { line: { id: "x", method: "prompt", params: { user_input: 5 } }, code: -32602 },
  "a prompt without params": { line: { id: "x", method: "prompt" }, code: -32602 },
  "an unknown content part": {
    line: { id: "x", method: "prompt", params: { user_input: [{ type: "smell" }] } },
    code: -32602,
  },
  "plan mode by a text": {
    line: { id: "x", method: "set_plan_mode", params: { enabled: "on" } },
    code: -32602,
  },
  "an introduction without a version": { line: { id: "x", method: "initialize", params: {} }, code: -32602 },
};

describe.each(Object.entries(states))("%s", (_name, state) => {
  test.each(Object.entries(rows))(
    "%s has its own reaction, and nothing else changes (P-ENV-1 to P-ENV-9)",
    async (_row, { line, nullId, code }) => {
      const client = start(state);
      await state.enter(client);
      client.send(Array.isArray(line) ? JSON.stringify(line) : line);
      await client.quiet();
      expect(client.nullIds).toEqual(nullId === undefined ? [] : [nullId]);
      expect(client.responses.get("x")).toBe(code === undefined ? undefined : 1);
      if (code !== undefined) expect(client.answerTo("x").error?.code).toBe(code);
      await state.leave(client);
      await client.end();
    },
  );
});

/** Valid lines at the wrong time. */
const untimely: Record<string, readonly string[]> = {
  "before initialize": ["cancel", "steer"],
  "when idle": ["cancel", "steer"],
  "while a question is open": ["initialize", "prompt", "replay"],
  "while an approval is open": ["initialize", "prompt", "replay"],
  "while a client's tool runs": ["initialize", "prompt", "replay"],
  "in a turn": ["initialize", "prompt", "replay"],
  "while a hook is open": ["initialize", "prompt", "replay"],
  "during a replay": ["initialize", "prompt", "replay", "steer"],
};
const validParams: Record<string, object> = {
  initialize: hello.params,
  prompt: { user_input: "x" },
  steer: { user_input: "x" },
};

describe.each(Object.entries(untimely))("%s", (name, methods) => {
  test.each(methods)("%s is refused with -32000, and nothing else changes", async (method) => {
    const state = states[name] as State;
    const client = start(state);
    await state.enter(client);
    client.send({ id: "x", method, params: validParams[method] });
    await client.until(() => client.responses.has("x"));
    expect(client.answerTo("x").error?.code).toBe(-32000);
    await state.leave(client);
    await client.end();
  });
});

describe.each(Object.entries(states))("a client that goes away %s", (_name, state) => {
  test("leaves nothing behind, and the server ends (P-CLO-1)", async () => {
    const client = start(state);
    await state.enter(client);
    await client.end();
    expect(client.session.running).toBe(false);
    expect(client.session.pending.length).toBe(0);
  });
});

test("a long replay can be cancelled: it says how far it came (P-TRN-6)", async () => {
  const state = states["during a replay"] as State;
  const client = start(state);
  await state.enter(client);
  client.send({ id: "x", method: "cancel" });
  await client.until(() => client.responses.has("replay"));
  expect(client.answerTo("x").result).toEqual({});
  const { status, events, requests } = client.answerTo("replay").result ?? {};
  expect({ status, requests }).toEqual({ status: "cancelled", requests: 0 });
  expect(events).toBe(client.events.filter((type) => type === "StepBegin").length);
  expect(events).toBeLessThan(RECORDS);
  await client.end();
});

test("after the end of its input nothing that comes has an effect, and nobody hangs (P-CLO-1)", async () => {
  const client = start();
  client.send(hello);
  await client.end();
  expect(() => client.session.steer("x")).toThrow(/No agent turn/);
  await expect(client.session.prompt("x")).rejects.toThrow("the session is closed");
});
