import { describe, expect, test, vi } from "vitest";
import { RAL } from "vscode-jsonrpc/node";
import * as z from "zod/mini";
import { request } from "../src/contract.js";
import { bindPeer } from "../src/index.js";
import { rawChannel, stateOf, turns } from "./raw-channel.js";
import { bare, type Connect, ours, overConnection, type Subject } from "./trap-subjects.js";

interface Trap {
  readonly rule: string;
  /** The behaviour that a user notices. */
  readonly name: string;
  readonly run: (connect: Connect) => Promise<unknown>;
  /** The result with our engine, and with the library alone. */
  readonly ours: unknown;
  readonly bare: unknown;
}

const call = (id: unknown, params: unknown = {}) => ({ jsonrpc: "2.0", id, method: "call", params });
const tell = (params: unknown) => ({ jsonrpc: "2.0", method: "tell", params });
const cancelOf = (id: unknown) => ({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id } });
const answers = (subject: Subject) => subject.messages().map(({ id, result }) => [id, result]);

/** Sends a request, answers it with these members, and says what became of it. */
async function answerWith(connect: Connect, members: object): Promise<unknown> {
  const subject = connect();
  const { reply } = subject.request("call");
  subject.receive({ jsonrpc: "2.0", id: subject.messages()[0]?.id, ...members });
  return await stateOf(reply);
}

const traps: Trap[] = [
  {
    rule: "P-ENG-1",
    name: "two requests under way with one id are both answered",
    run: async (connect) => {
      const subject = connect({ request: ([params]) => params });
      subject.receive(call("7", { n: 1 }), call("7", { n: 2 }));
      await turns(5);
      return answers(subject);
    },
    ours: [
      ["7", { n: 1 }],
      ["7", { n: 2 }],
    ],
    bare: [["7", { n: 2 }]],
  },
  {
    rule: "P-ENG-1",
    name: 'the ids 1 and "1" are two requests',
    run: async (connect) => {
      const subject = connect({ request: ([params]) => params });
      subject.receive(call(1, { n: 1 }), call("1", { n: 2 }));
      await turns(5);
      return answers(subject);
    },
    ours: [
      [1, { n: 1 }],
      ["1", { n: 2 }],
    ],
    bare: [["1", { n: 2 }]],
  },
  {
    rule: "P-ENG-1",
    name: "the ids of requests are strings",
    run: async (connect) => {
      const subject = connect();
      subject.request("call").reply.catch(() => {});
      return typeof subject.messages()[0]?.id;
    },
    ours: "string",
    bare: "number",
  },
  {
    rule: "P-ENG-2",
    name: "the events of a turn are handled before the caller hears that it ended",
    run: async (connect) => {
      const seen: unknown[] = [];
      const subject = connect({ notification: ([params]) => void seen.push(params) });
      const reply = subject.request("call").reply.then(() => seen.push("result"));
      const id = subject.messages()[0]?.id;
      subject.receive(tell({ n: 1 }), tell({ n: 2 }), { jsonrpc: "2.0", id, result: {} });
      await reply;
      await turns(5);
      return seen;
    },
    ours: [{ n: 1 }, { n: 2 }, "result"],
    bare: ["result", { n: 1 }, { n: 2 }],
  },
  {
    rule: "P-ENG-3",
    name: "messages that a handler causes come after its own reply",
    run: async (connect) => {
      const subject: Subject = connect({ request: (_, reply) => reply.after(() => subject.notify("tell")) });
      subject.receive(call("1"));
      await turns(5);
      return subject.messages().map(({ method }) => method ?? "reply");
    },
    ours: ["reply", "tell"],
    bare: ["tell", "reply"],
  },
  {
    rule: "P-ENG-4",
    name: "a response with neither result nor error leaves the request open",
    run: (connect) => answerWith(connect, {}),
    ours: "pending",
    bare: { rejected: expect.stringContaining("neither a result nor an error") },
  },
  {
    rule: "P-ENG-4",
    name: "a response whose error is a text leaves the request open",
    run: (connect) => answerWith(connect, { error: "broken" }),
    ours: "pending",
    bare: { rejected: -32001 },
  },
  {
    rule: "P-ENG-5",
    name: "a cancellation without params breaks nothing, and the next request is answered",
    run: async (connect) => {
      const subject = connect();
      let thrown: unknown = "nothing";
      try {
        subject.receive({ jsonrpc: "2.0", method: "$/cancelRequest" }, call("1"));
      } catch (error) {
        thrown = (error as Error).name;
      }
      await turns(5);
      return { thrown, answers: answers(subject) };
    },
    ours: { thrown: "nothing", answers: [["1", null]] },
    bare: { thrown: "TypeError", answers: [] },
  },
  {
    rule: "P-ENG-6",
    name: "a request that nobody waits for any longer leaves nothing behind",
    run: async (connect) => {
      const subject = connect();
      const { reply, forget } = subject.request("call");
      forget();
      const state = await stateOf(reply);
      return { state: state === "pending" ? state : "settled", awaits: subject.awaits() };
    },
    ours: { state: "settled", awaits: false },
    bare: { state: "pending", awaits: true },
  },
  {
    rule: "P-ENG-7",
    name: "nobody waits for ever when the connection closes",
    run: async (connect) => {
      const subject = connect();
      const { reply } = subject.request("call");
      subject.end();
      return await stateOf(reply);
    },
    ours: { rejected: "CLOSED" },
    bare: "pending",
  },
  {
    rule: "P-ENG-8",
    name: "params that are an array reach a request's handler as one value",
    run: async (connect) => {
      const seen: unknown[] = [];
      const subject = connect({ request: (args) => void seen.push(args) });
      subject.receive(call("1", ["a", ["b"]]));
      await turns(5);
      return seen;
    },
    ours: [[["a", ["b"]]]],
    bare: [["a", ["b"]]],
  },
  {
    rule: "P-ENG-8",
    name: "params that are an array reach a notification's handler as one value",
    run: async (connect) => {
      const seen: unknown[] = [];
      const subject = connect({ notification: (args) => void seen.push(args) });
      subject.receive(tell([1, 2]));
      await turns(5);
      return seen;
    },
    ours: [[[1, 2]]],
    bare: [[1, 2]],
  },
  {
    rule: "P-ENG-10",
    name: "of a flood nothing waits in memory: what was read was handled",
    run: async (connect) => {
      let handled = 0;
      const subject = connect({
        notification: () => {
          handled += 1;
        },
      });
      for (let n = 0; n < 5000; n++) subject.receive(tell({}));
      return handled;
    },
    ours: 5000,
    bare: 0,
  },
  {
    rule: "P-ENG-10",
    name: "a thousand cancellations of nothing do not hold up the request behind them",
    run: async (connect) => {
      const subject = connect();
      for (let n = 0; n < 1000; n++) subject.receive(cancelOf(`unknown ${n}`));
      subject.receive(call("1"));
      await turns(10);
      return answers(subject);
    },
    ours: [["1", null]],
    bare: [],
  },
];

/** Traps that nobody above a connection of the library can avoid, by name: the table below P-VSJ-3. */
const lostOverConnection: ReadonlySet<string> = new Set([
  // P-ENG-1
  "two requests under way with one id are both answered",
  'the ids 1 and "1" are two requests',
  "the ids of requests are strings",
  // P-ENG-4
  "a response with neither result nor error leaves the request open",
  "a response whose error is a text leaves the request open",
  // P-ENG-5
  "a cancellation without params breaks nothing, and the next request is answered",
  // P-ENG-10
  "of a flood nothing waits in memory: what was read was handled",
  "a thousand cancellations of nothing do not hold up the request behind them",
]);

test("each trap that is skipped over a connection is in the list of traps", () => {
  expect([...lostOverConnection].filter((name) => traps.every((trap) => trap.name !== name))).toEqual([]);
});

describe.each(traps)("a trap of the library [$rule]", ({ name, run, ...expected }) => {
  test(`our engine holds: ${name}`, async () => {
    expect(await run(ours)).toEqual(expected.ours);
  });
  test.skipIf(lostOverConnection.has(name))(`a connection of the library holds: ${name}`, async () => {
    expect(await run(overConnection)).toEqual(expected.ours);
  });
  test(`the library alone does not hold: ${name}`, async () => {
    expect(await run(bare)).toEqual(expected.bare);
  });
});

describe("the texts of errors (P-ENG-9)", () => {
  const boom = () => {
    throw new Error("boom");
  };
  const lines = [call("1"), { jsonrpc: "2.0", id: "2", method: "nope", params: {} }];

  test("our engine writes its own texts of errors, each with data: null", async () => {
    const wire = rawChannel();
    bindPeer({
      channel: wire.channel,
      local: { call: request(z.unknown(), z.unknown()) },
      remote: {},
      handlers: { call: boom },
    });
    wire.receive(...lines);
    await turns(5);
    expect(wire.messages()).toEqual([
      { jsonrpc: "2.0", id: "1", error: { code: -32603, message: "Error: boom", data: null } },
      {
        jsonrpc: "2.0",
        id: "2",
        error: { code: -32601, message: "Unexpected method received: nope", data: null },
      },
    ]);
  });

  test("the library alone writes other texts of errors", async () => {
    const subject = bare({ request: boom });
    subject.receive(...lines);
    await turns(5);
    expect(subject.messages()).toEqual([
      {
        jsonrpc: "2.0",
        id: "1",
        error: { code: -32603, message: "Request call failed with message: boom" },
      },
      { jsonrpc: "2.0", id: "2", error: { code: -32601, message: "Unhandled method nope" } },
    ]);
  });
});

test("a peer takes nothing of what a process shares: no timer, no runtime layer of the library (P-ENG-11)", async () => {
  const before = RAL();
  const install = vi.spyOn(RAL, "install");
  const timers = (["setImmediate", "setTimeout", "setInterval"] as const).map((name) =>
    vi.spyOn(globalThis, name),
  );
  try {
    const subject = ours({ request: () => "fine" });
    const { reply } = subject.request("call");
    subject.receive(call("1"), { jsonrpc: "2.0", id: subject.messages()[0]?.id, result: {} });
    await reply;
    expect(answers(subject).at(-1)).toEqual(["1", "fine"]);
    for (const timer of timers) expect(timer).not.toHaveBeenCalled();
    expect(install).not.toHaveBeenCalled();
  } finally {
    install.mockRestore();
    for (const timer of timers) timer.mockRestore();
  }
  expect(RAL()).toBe(before);
});
