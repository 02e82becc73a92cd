import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { modelAgent, planModeTools } from "../../agent/src/index.js";
import { readScript } from "../../agent/src/models/script.js";
import { askUserQuestion } from "../../dialects/src/index.js";
import { keepIn, type Model, sessionFolder } from "../src/index.js";
import { approvedTool, asks, callLine, colour, keptLog } from "./scenario.js";
import { type Answerable, stdioClient } from "./stdio-client.js";

/** The model's scripts, again and again: every way of asking, and failures. */
const scripts = [
  asks(),
  "text: hello",
  `${callLine("Run", {}, "a")}\n${asks([colour], "b")}`,
  callLine("Ext", { n: 1 }, "same"),
  `${callLine("Ext", { n: 2 }, "same")}\n${callLine("Ext", { n: 3 }, "same")}`,
  "error: 400 no",
  callLine("Nope", {}),
  callLine("ExitPlanMode", { plan: "do it" }),
  callLine("EnterPlanMode", {}),
  "think: hm\ntext: bye",
].map(readScript);

function endlessModel(first: number): Model {
  let next = first;
  return {
    name: "endless",
    async *stream() {
      const script = scripts[next % scripts.length] ?? [];
      next += 1;
      for (const step of script) {
        if (step.type === "error") throw step.error;
        yield step;
      }
    },
  };
}

const good = {
  external_tools: [{ name: "Ext", description: "", parameters: { type: "object" } }],
  hooks: [
    { id: "h", event: "PreToolUse", matcher: "Run", timeout: 1 },
    { id: "s", event: "Stop", timeout: 1 },
    { id: "p", event: "UserPromptSubmit", timeout: 1 },
  ],
  capabilities: { supports_question: true, supports_plan_mode: true },
};
const params: Record<string, readonly unknown[]> = {
  initialize: [
    { protocol_version: "1.10", ...good },
    { protocol_version: "1.2", capabilities: {} },
    { protocol_version: 7 },
    undefined,
    { protocol_version: "x", external_tools: [{ name: "AskUserQuestion", description: "", parameters: {} }] },
  ],
  prompt: [
    { user_input: "go" },
    { user_input: [] },
    { user_input: 5 },
    { user_input: [{ type: "smell" }] },
    null,
  ],
  steer: [{ user_input: "more" }, {}, { user_input: [{ type: "text" }] }],
  replay: [undefined, {}, []],
  set_plan_mode: [{ enabled: true }, { enabled: false }, { enabled: "yes" }, []],
  cancel: [undefined, {}, 5],
  event: [{ type: "TurnEnd", payload: {} }],
  request: [{}],
  "": [undefined],
  constructor: [{}],
};

const id = fc.constantFrom("1", "2", "3", "", "__proto__", "x".repeat(40));
const call = fc.constantFrom(...Object.keys(params)).chain((method) =>
  fc.record({
    method: fc.constant(method),
    params: fc.constantFrom(...(params[method] as unknown[])),
    jsonrpc: fc.constantFrom("2.0", undefined),
  }),
);

/** A line to send, or an answer to whatever is open. */
type Action =
  | { kind: "line"; value: unknown }
  | { kind: "raw"; text: string }
  | { kind: "answer"; how: number }
  | { kind: "quiet" }
  /** The input ends in the middle. */
  | { kind: "leave" };
const line = (value: fc.Arbitrary<unknown>) => value.map((value): Action => ({ kind: "line", value }));
const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: line(id.map((id) => ({ method: "prompt", id, params: { user_input: "go" } }))) },
  {
    weight: 2,
    arbitrary: line(id.map((id) => ({ method: "initialize", id, params: params.initialize?.[0] }))),
  },
  { weight: 8, arbitrary: line(fc.tuple(call, id).map(([call, id]) => ({ ...call, id }))) },
  { weight: 1, arbitrary: line(call) },
  {
    weight: 1,
    arbitrary: line(fc.tuple(call, fc.constantFrom(1, 1.5, true, {}, null)).map(([c, id]) => ({ ...c, id }))),
  },
  { weight: 1, arbitrary: line(fc.tuple(call, id).map(([call, id]) => ({ ...call, id, jsonrpc: 2 }))) },
  { weight: 1, arbitrary: line(fc.tuple(call, id).map(([call, id]) => ({ ...call, id, result: {} }))) },
  {
    weight: 1,
    arbitrary: line(fc.tuple(id, fc.constantFrom({}, null, "x")).map(([id, result]) => ({ id, result }))),
  },
  {
    weight: 1,
    arbitrary: line(
      fc
        .tuple(id, fc.constantFrom("no", {}, { code: 1, message: "m" }))
        .map(([id, error]) => ({ id, error })),
    ),
  },
  { weight: 1, arbitrary: line(fc.constantFrom({}, [], 5, "x", null, { id: "7" }, { method: 3, id: "8" })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("", "  ", "{", "nonsense", "\ufeff{}")
      .map((text): Action => ({ kind: "raw", text })),
  },
  { weight: 10, arbitrary: fc.nat(9).map((how): Action => ({ kind: "answer", how })) },
  { weight: 8, arbitrary: fc.constant<Action>({ kind: "quiet" }) },
  { weight: 1, arbitrary: fc.constant<Action>({ kind: "leave" }) },
);

/** The base profile's reaction to a line: the code of an error without an id, a response, or nothing. */
function expected(text: string): { nullId?: number; response?: string | number } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { nullId: -32700 };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { nullId: -32600 };
  const { jsonrpc, id, method, result, error } = value as Record<string, unknown>;
  if (jsonrpc !== undefined && jsonrpc !== "2.0") return { nullId: -32600 };
  const isId = typeof id === "string" || Number.isSafeInteger(id);
  if (id !== undefined && id !== null && !isId) return { nullId: -32600 };
  if (method !== undefined) {
    if (typeof method !== "string") return { nullId: -32600 };
    return isId && result === undefined && error === undefined ? { response: id as string | number } : {};
  }
  if (error === undefined || error === null) return {};
  const { code, message } = error as { code?: unknown; message?: unknown };
  return Number.isInteger(code) && typeof message === "string" ? {} : { nullId: -32600 };
}

/** Ten ways to answer: the first five are right, in the words of what was asked. */
function answers({ id, type }: Answerable): readonly object[] {
  const right = {
    QuestionRequest: { request_id: id, answers: { "Which colour?": "Red" } },
    ApprovalRequest: { request_id: id, response: "approve" },
    ToolCallRequest: {
      tool_call_id: id,
      return_value: { is_error: false, output: "", message: "", display: [] },
    },
    HookRequest: { request_id: id, action: "block", reason: "no" },
  }[type];
  return [
    { result: right },
    { result: { ...right, request_id: "another" } },
    { result: { request_id: id, response: "reject", answers: {}, action: "allow" } },
    { error: { code: -32000, message: "closed" } },
    { error: { code: -32601, message: "what?" } },
    { result: null },
    { result: { request_id: id, answers: { "Which colour?": 5 }, response: "maybe" } },
    { error: "no" },
    {
      result: {
        tool_call_id: id,
        return_value: { is_error: false, output: [{ type: "smell" }], message: "", display: [] },
      },
    },
    {},
  ];
}

/** A replay of so many records takes some turns of the event loop. */
const RECORDS = 300;
const record = JSON.stringify({ timestamp: 1, message: { type: "StepBegin", payload: { n: 1 } } });

async function play(first: number, story: readonly Action[]): Promise<void> {
  const share = mkdtempSync(join(tmpdir(), "askwire-fuzz-"));
  try {
    await playIn(share, first, story);
  } finally {
    rmSync(share, { recursive: true, force: true });
  }
}

async function playIn(share: string, first: number, story: readonly Action[]): Promise<void> {
  const log = keptLog();
  const kept = keepIn({ share, workDir: share, log });
  const folder = sessionFolder({ share, workDir: share, id: "fuzz" });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "wire.jsonl"), `${record}\n`.repeat(RECORDS));
  const client = stdioClient({
    agent: ({ history }) =>
      modelAgent({
        model: endlessModel(first),
        history,
        tools: [askUserQuestion, approvedTool("Run"), ...planModeTools],
      }),
    maxStepsPerTurn: 7,
    keep: () => kept("fuzz"),
    log,
  });
  const { asked, responses, session } = client;
  const wantedResponses = new Map<string | number, number>();
  const wantedNullIds: number[] = [];
  function send(text: string): void {
    const { nullId, response } = expected(text);
    if (nullId !== undefined) wantedNullIds.push(nullId);
    if (response !== undefined) wantedResponses.set(response, (wantedResponses.get(response) ?? 0) + 1);
    client.send(text);
  }

  for (const action of story) {
    if (action.kind === "raw") send(action.text);
    else if (action.kind === "line") send(JSON.stringify(action.value));
    else if (action.kind === "quiet") await client.quiet();
    else if (action.kind === "leave") {
      await client.end();
      expect(session.running).toBe(false);
      return expect(session.pending.length).toBe(0);
    } else {
      // Mostly the newest: an older one is settled already, and an answer to it is late.
      const request = asked.at(action.how === 9 ? 0 : -1);
      if (request !== undefined) send(JSON.stringify({ id: request.id, ...answers(request)[action.how] }));
    }
  }
  // Running turns are cancelled in turn, until nothing is owed.
  const owed = () => [...wantedResponses].some(([id, count]) => (responses.get(id) ?? 0) < count);
  await client.quiet();
  while (owed()) {
    send(JSON.stringify({ method: "cancel", id: "the end" }));
    await client.quiet();
  }
  const counted = [...responses].filter(([id]) => !String(id).startsWith("probe-"));
  expect(new Map(counted)).toEqual(wantedResponses);
  expect(client.nullIds).toEqual(wantedNullIds);
  expect(session.running).toBe(false);
  expect(session.pending.length).toBe(0);
  await client.end();
}

test("whatever a client sends, every request is answered once, every fault by the table, and nothing stays (P-ENV-1 to P-ENV-9, P-TRN-1, P-INT-2)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(scripts.length), fc.array(actions, { minLength: 40, maxLength: 120 }), play),
    {
      seed: 1_101_010,
      numRuns: 100,
    },
  );
});
