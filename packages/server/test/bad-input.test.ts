import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { vectors } from "../../../scripts/vectors.js";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import { askUserQuestion } from "../../dialects/src/index.js";
import { defineTool, keepIn, type ServerOptions, sessionFolder, systemClock } from "../src/index.js";
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

/**
 * A server whose session has a journal of so many records.
 *
 * @param stringIds whether integers are refused as ids.
 */
function start({ script = "text: hello", records = 0 }: Partial<State> = {}, stringIds = false): Subject {
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
  const server: ServerOptions = {
    agent: ({ history }) =>
      modelAgent({
        model: scriptedModel([script, "text: done"]),
        history,
        tools: [askUserQuestion, approvedTool("Run"), gate, { ...gate, name: "Gated" }],
      }),
    keep: () => kept("kept"),
    log,
  };
  const client = stdioClient(server, { stringIds });
  return { ...client, open };
}

/** A line and the error that answers it, under an id or none; null where nothing does. */
interface Line {
  readonly line: string;
  readonly integers?: true;
  readonly as?: string;
  readonly answer: { readonly id: string | number | null; readonly error?: number } | null;
}

/** The lines whose reaction is the same in every state. */
const lines = [
  ...vectors<Line>("wire-1.10/envelope.json", "askwire-draft/envelope.json"),
  ...vectors<Line>("wire-1.10/calls.json", "askwire-draft/calls.json"),
].filter(({ as, answer }) => as === undefined && (answer === null || isOfTheLine(answer.error)));

/** True for an error that the line itself causes, and no state. */
function isOfTheLine(code: number | undefined): boolean {
  return code !== undefined && code < -32599;
}

/** The lines of a state: all of them when idle, and a third in each other, so that each is tried in several. */
const linesIn = (name: string, nth: number) =>
  lines.filter((_, n) => name === "when idle" || n % 3 === nth % 3);

describe.each(Object.entries(states).map(([name, state], nth) => [name, state, linesIn(name, nth)] as const))(
  "%s",
  (_name, state, lines) => {
    test.each(lines)(
      "$name has its own reaction, and nothing else changes (P-ENV-1 to P-ENV-9)",
      async ({ line, integers, answer }) => {
        const client = start(state, integers !== true);
        await state.enter(client);
        client.send(line);
        await client.quiet();
        expect(client.nullIds).toEqual(answer?.id === null ? [answer.error] : []);
        for (const id of ["x", "", 7, "7"])
          expect(client.responses.get(id)).toBe(answer?.id === id ? 1 : undefined);
        if (answer != null && answer.id !== null)
          expect(client.answerTo(answer.id).error?.code).toBe(answer.error);
        await state.leave(client);
        await client.end();
      },
    );
  },
);

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
  test("a client that goes away leaves nothing behind, and the server ends (P-CLO-1)", async () => {
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
