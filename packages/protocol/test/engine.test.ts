import { describe, expect, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import { createEngine, type EngineHandlers, type EngineOptions } from "../src/framing/engine.js";
import type { Reply } from "../src/framing/envelope.js";
import { defaultLimits, type IncomingCall, type Limits, LocalError } from "../src/index.js";
import { promised } from "./promised.js";
import { rawChannel, stateOf, turns } from "./raw-channel.js";

interface Setting extends Partial<Omit<EngineOptions, "limits">> {
  readonly limits?: Partial<Limits>;
  readonly handlers?: Partial<EngineHandlers>;
}

function connect({ limits, handlers = {}, ...options }: Setting = {}) {
  const wire = rawChannel();
  const problems: string[] = [];
  const closed: (Error | undefined)[] = [];
  const engine = createEngine(
    wire.channel,
    {
      request: async () => ({ result: {} }),
      notification() {},
      problem: (message) => void problems.push(message),
      closed: (cause) => void closed.push(cause),
      ...handlers,
    },
    {
      answerMalformed: true,
      ...options,
      limits: { ...defaultLimits, ...limits },
    },
  );
  const ask = (method: string, params: unknown, id: string) => promised(engine, method, params, id);
  return { wire, problems, closed, engine, ask };
}

const error = (code: number, message: unknown) => ({
  jsonrpc: "2.0",
  id: null,
  error: { code, message, data: null },
});

describe("messages that are no messages", () => {
  test("an agent answers each invalid message with id null and continues (P-ENV-1, P-LIM-2)", async () => {
    const { wire } = connect();
    wire.receive("{not json", "", "[]", { id: 5.5, method: "a" }, { id: "x", error: "text" });
    wire.oversized(10);
    wire.receive({ id: "1", method: "a" });
    await turns();
    expect(wire.messages()).toEqual([
      error(-32700, "Invalid JSON format"),
      error(-32700, "Invalid JSON format"),
      error(-32600, expect.stringContaining("Invalid request")),
      error(-32600, expect.stringContaining("id")),
      error(-32600, expect.stringContaining("error")),
      error(-32600, "Invalid request: longer than 10 bytes"),
      { jsonrpc: "2.0", id: "1", result: {} },
    ]);
  });

  test("a client reports invalid messages and answers nothing, so that two sides never answer each other's errors", () => {
    const { wire, problems } = connect({ answerMalformed: false });
    wire.receive("{not json", "5", error(-32600, "Invalid request"));
    wire.oversized(10);
    expect(wire.sent).toEqual([]);
    expect(problems).toHaveLength(4);
    expect(problems[2]).toContain("Invalid request");
  });

  test("responses to nothing are reported and disturb no request that is under way (P-ENV-9)", async () => {
    const { wire, problems, ask } = connect();
    const { reply } = ask("a", {}, "1");
    wire.receive(
      { id: "2", result: {} },
      { id: 1, result: {} },
      { id: null, error: { code: 1, message: "m" } },
    );
    expect(problems).toHaveLength(3);
    expect(await stateOf(reply)).toBe("pending");
    wire.receive({ id: "1", result: 1 }, { id: "1", result: 2 });
    expect(await reply).toEqual({ result: 1 });
    expect(problems).toHaveLength(4);
  });
});

describe("requests of ours", () => {
  test("our requests go out under the given id with their params unchanged, an array included (P-ENG-8)", () => {
    const { wire, ask } = connect();
    void ask("a", [1, 2], "x").reply;
    void ask("b", undefined, "y").reply;
    expect(wire.messages()).toEqual([
      { jsonrpc: "2.0", method: "a", id: "x", params: [1, 2] },
      { jsonrpc: "2.0", method: "b", id: "y" },
    ]);
  });

  test("our requests are answered in any order, each by its own reply", async () => {
    const { wire, ask } = connect();
    const a = ask("a", {}, "a");
    const b = ask("b", {}, "b");
    wire.receive({ id: "b", result: "for b" }, { id: "a", error: { code: 1, message: "for a" } });
    expect(await b.reply).toEqual({ result: "for b" });
    expect(await a.reply).toEqual({ error: { code: 1, message: "for a", data: null } });
  });

  test("an id that is under way is refused, and free again after the reply", async () => {
    const { wire, ask } = connect();
    const first = ask("a", {}, "x");
    expect(() => ask("a", {}, "x")).toThrow(expect.objectContaining({ code: "INVALID_STATE" }));
    wire.receive({ id: "x", result: 1 });
    await first.reply;
    const second = ask("a", {}, "x");
    wire.receive({ id: "x", result: 2 });
    expect(await second.reply).toEqual({ result: 2 });
  });

  test("a forgotten request ends with -32800, its late answer is nothing, and its id is free (P-ENG-6)", async () => {
    const { wire, problems, ask } = connect();
    const first = ask("a", {}, "x");
    first.forget();
    first.forget();
    expect(await first.reply).toMatchObject({ error: { code: -32800, data: null } });
    wire.receive({ id: "x", result: "late" });
    expect(problems).toEqual([expect.stringContaining("a response to nothing")]);
    const second = ask("a", {}, "x");
    first.forget();
    wire.receive({ id: "x", result: "new" });
    expect(await second.reply).toEqual({ result: "new" });
  });

  test("the listener is called neither within the asking nor within the forgetting", async () => {
    const { wire, engine } = connect();
    const told: string[] = [];
    let asking = true;
    const answered = (what: string) => () => void told.push(asking ? `${what} too early` : what);
    wire.channel.send = (text) => wire.receive({ id: JSON.parse(text).id, result: {} });
    engine.request("a", {}, "from inside the send", answered("answered"));
    wire.channel.send = () => {};
    engine.request("a", {}, "x", answered("forgotten")).forget();
    wire.channel.send = () => wire.end();
    engine.request("a", {}, "y", answered("ended"));
    engine.request("a", {}, "z", answered("was closed"));
    asking = false;
    await turns();
    expect(told).toEqual(["answered", "forgotten", "ended", "was closed"]);
  });

  test("a request that cannot be written as JSON fails at once and is no longer awaited", async () => {
    const { wire, ask } = connect();
    expect(() => ask("a", { n: 1n }, "x")).toThrow(TypeError);
    expect(wire.sent).toEqual([]);
    const again = ask("a", {}, "x");
    wire.receive({ id: "x", result: 1 });
    expect(await again.reply).toEqual({ result: 1 });
  });

  test("a request over the limit fails with BAD_MESSAGE and says both sizes (P-LIM-4)", () => {
    const { wire, engine, ask } = connect({ limits: { outboundLength: 100 } });
    expect(() => ask("a", "x".repeat(100), "x")).toThrow(
      expect.objectContaining({
        code: "BAD_MESSAGE",
        message: expect.stringMatching(/message of 1\d\d characters: at most 100/),
      }),
    );
    expect(() => engine.notify("a", "x".repeat(100))).toThrow(LocalError);
    expect(wire.sent).toEqual([]);
  });
});

describe("requests of the other side", () => {
  test("a reply over the limit becomes an error with the same id, so that nobody waits for it (P-LIM-4)", async () => {
    const { wire } = connect({
      limits: { outboundLength: 200 },
      handlers: { request: async () => ({ result: "x".repeat(300) }) },
    });
    wire.receive({ id: "1", method: "a" });
    await turns();
    expect(wire.messages()).toEqual([
      {
        jsonrpc: "2.0",
        id: "1",
        error: { code: -32603, message: expect.stringMatching(/at most 200/), data: null },
      },
    ]);
  });

  test("a slow request holds up neither the next one nor an event nor a response", async () => {
    const seen: string[] = [];
    let finish: (reply: Reply) => void = () => {};
    const { wire, ask } = connect({
      handlers: {
        request: async (method) =>
          method === "slow"
            ? await new Promise<Reply>((resolve) => {
                finish = resolve;
              })
            : { result: method },
        notification: (method) => void seen.push(method),
      },
    });
    const { reply } = ask("ours", {}, "o");
    wire.receive(
      { id: "1", method: "slow" },
      { id: "2", method: "fast" },
      { method: "event" },
      { id: "o", result: 1 },
    );
    expect(await reply).toEqual({ result: 1 });
    await turns();
    expect(seen).toEqual(["event"]);
    expect(wire.messages().slice(1)).toEqual([{ jsonrpc: "2.0", id: "2", result: "fast" }]);
    finish({ result: "slow" });
    await turns();
    expect(wire.messages().at(-1)).toEqual({ jsonrpc: "2.0", id: "1", result: "slow" });
  });

  test("work put off until after the reply runs in order, before anything else is sent (P-ENG-3)", async () => {
    const { wire, engine } = connect({
      handlers: {
        async request(_method, _params, call) {
          call.afterReply(() => engine.notify("first", {}));
          call.afterReply(() => engine.notify("second", {}));
          return { result: {} };
        },
      },
    });
    wire.receive({ id: "1", method: "a" }, { id: "2", method: "a" });
    await turns(5);
    expect(wire.messages().map(({ id, method }) => id ?? method)).toEqual([
      "1",
      "first",
      "second",
      "2",
      "first",
      "second",
    ]);
  });

  test("a cancellation reaches every running call with that id, and no other (P-ENG-5)", async () => {
    const calls: IncomingCall[] = [];
    const cancelled: IncomingCall[] = [];
    const { promise: never, resolve: finish } = deferred<Reply>();
    const { wire, problems } = connect({
      handlers: {
        async request(_method, _params, call) {
          calls.push(call);
          call.onCancel(() => void cancelled.push(call));
          return await never;
        },
      },
    });
    wire.receive(
      { id: "1", method: "a" },
      { id: 1, method: "a" },
      { id: "1", method: "a" },
      { method: "$/cancelRequest", params: { id: "1" } },
    );
    await turns(5);
    expect(cancelled).toEqual([calls[0], calls[2]]);
    finish({ result: {} });
    await turns();
    wire.receive({ method: "$/cancelRequest", params: { id: "1" } });
    expect(problems).toEqual(["ignored: $/cancelRequest for no running request"]);
  });

  test.each([null, [], "x", 5, {}, { id: null }, { id: {} }])(
    "a cancellation with the params %j is ignored (P-ENG-5)",
    (params) => {
      const { wire, problems } = connect();
      wire.receive({ method: "$/cancelRequest", params });
      expect(problems).toEqual(["ignored: $/cancelRequest for no running request"]);
      expect(wire.sent).toEqual([]);
    },
  );

  test("a request whose handler wants no answer gets none, though it has an id (P-MSG-1)", async () => {
    const seen: unknown[] = [];
    const { wire } = connect({
      handlers: { request: (method, params) => void seen.push([method, params]) },
    });
    wire.receive({ id: "1", method: "event", params: { type: "TurnEnd" } });
    await turns();
    expect(seen).toEqual([["event", { type: "TurnEnd" }]]);
    expect(wire.sent).toEqual([]);
  });
});

describe("a flood", () => {
  test("a flood of requests that wait for an answer is refused beyond the limit, and they are still answered (P-ENG-10)", async () => {
    const finish: (() => void)[] = [];
    const { wire } = connect({
      limits: { unansweredRequests: 2 },
      handlers: {
        request: (_method, params) =>
          new Promise((resolve) => {
            finish.push(() => resolve({ result: params }));
          }),
      },
    });
    for (const id of ["1", "2", "3"]) wire.receive({ id, method: "ask", params: id });
    expect(wire.messages()).toEqual([
      {
        jsonrpc: "2.0",
        id: "3",
        error: {
          code: -32020,
          message: "more than 2 requests wait for an answer",
          data: { limit: "unansweredRequests" },
        },
      },
    ]);
    for (const answer of finish) answer();
    await turns();
    wire.receive({ id: "4", method: "ask", params: "4" });
    finish.at(-1)?.();
    await turns();
    expect(wire.messages().slice(1)).toEqual(
      ["1", "2", "4"].map((id) => ({ jsonrpc: "2.0", id, result: id })),
    );
  });
});

describe("the end of a connection", () => {
  test("everything that came just before the end of a connection is still handled, in order (P-ENG-7)", async () => {
    const seen: unknown[] = [];
    const { wire, ask } = connect({
      handlers: {
        notification: (_method, params) => void seen.push(params),
        closed: () => void seen.push("closed"),
      },
    });
    const { reply } = ask("a", {}, "x");
    wire.receive({ method: "event", params: 1 }, { id: "x", result: "fine" }, { method: "event", params: 2 });
    wire.end();
    expect(await reply).toEqual({ result: "fine" });
    expect(seen).toEqual([1, 2, "closed"]);
  });

  test("pending requests fail with CLOSED and the cause, later requests too (P-ENG-7)", async () => {
    const { wire, closed, ask } = connect();
    const cause = new Error("the cable");
    const pending = ask("ask", {}, "x").reply;
    wire.end(cause);
    await expect(pending).rejects.toMatchObject({
      code: "CLOSED",
      message: 'the connection closed before "ask" was answered',
      cause,
    });
    await expect(ask("b", {}, "y").reply).rejects.toMatchObject({ code: "CLOSED" });
    expect(closed).toEqual([cause]);
  });

  test("a transport that knows better why it ended says so to everyone who waits (P-ENG-7)", async () => {
    const { wire, ask } = connect();
    const cause = new LocalError("PROCESS_EXITED", "the agent ended with status 3");
    const pending = ask("a", {}, "x").reply;
    wire.end(cause);
    await expect(pending).rejects.toBe(cause);
  });

  test("closing from this side passes the code on, fails what is pending and silences the rest", async () => {
    const { wire, closed, engine, ask } = connect();
    const pending = ask("a", {}, "x");
    wire.receive({ id: "1", method: "b" });
    engine.close(4409, "replaced");
    engine.close();
    await expect(pending.reply).rejects.toMatchObject({ code: "CLOSED" });
    pending.forget();
    engine.notify("event", {});
    wire.receive({ id: "2", method: "b" }, "{not json");
    wire.end();
    await turns(5);
    expect(wire.closes).toEqual([4409]);
    expect(wire.messages().map(({ method }) => method)).toEqual(["a"]);
    expect(closed).toHaveLength(1);
  });

  test("a handler that is still at work when the connection closes harms nobody", async () => {
    let finish: (reply: Reply) => void = () => {};
    const { wire } = connect({
      handlers: {
        request: () =>
          new Promise((resolve) => {
            finish = resolve;
          }),
      },
    });
    wire.receive({ id: "1", method: "slow" });
    await turns();
    wire.end();
    finish({ result: "too late" });
    await turns();
    expect(wire.sent).toEqual([]);
  });
});
