import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { request, taggedNotification } from "../src/contract.js";
import { bindPeer } from "../src/index.js";
import { linkedPair } from "../src/testing.js";
import { agentAlone, answersTo, ask, bindAgent, clientAlone, pair, questionPayload } from "./peer-sides.js";
import { rawChannel, stateOf, turns } from "./raw-channel.js";

describe("a call from one side to the other", () => {
  test("a call arrives with its defaults filled in and returns the validated result", async () => {
    const { client } = pair({
      initialize: ({ capabilities, hooks }) => ({
        protocol_version: "1.10",
        server: { name: `${capabilities?.supports_question} ${hooks?.[0]?.timeout}`, version: "1" },
        slash_commands: [],
      }),
    });
    const params = {
      protocol_version: "1.10",
      capabilities: { supports_question: true },
      hooks: [{ id: "h", event: "Stop" }],
    };
    await expect(client.request("initialize", params)).resolves.toEqual({
      protocol_version: "1.10",
      server: { name: "true 30", version: "1" },
      slash_commands: [],
    });
  });

  test("events sent during a turn are heard before its result (P-ENG-2)", async () => {
    const heard: string[] = [];
    const { agent, client } = pair(
      {
        prompt({ user_input }) {
          agent.tell("event", "TurnBegin", { user_input });
          agent.tell("event", "TurnEnd", {});
          return { status: "finished" };
        },
      },
      { event: (event) => void heard.push(event.type) },
    );
    const response = client.request("prompt", { user_input: "hi" });
    const result = await response.then((value) => [...heard, value.status]);
    expect(result).toEqual(["TurnBegin", "TurnEnd", "finished"]);
  });

  test("a question is asked under its own id and its answer comes back", async () => {
    const wire = rawChannel();
    const agent = bindAgent(wire.channel, {});
    const { response } = ask(agent, "QuestionRequest", questionPayload("q1"), "q1");
    expect(wire.messages()).toMatchObject([
      { id: "q1", method: "request", params: { type: "QuestionRequest", payload: { id: "q1" } } },
    ]);
    wire.receive({ id: "q1", result: { request_id: "q1", answers: { "Which?": "A" } } });
    expect(await response).toEqual({ request_id: "q1", answers: { "Which?": "A" } });
  });

  test("several requests that are out at once are answered in any order", async () => {
    const { agent } = pair(
      {},
      {
        async request(wanted) {
          if (wanted.type !== "HookRequest") return { request_id: wanted.payload.id, answers: {} };
          await turns(wanted.payload.id === "h1" ? 6 : 1);
          return { request_id: wanted.payload.id, reason: wanted.payload.target };
        },
      },
    );
    const order: string[] = [];
    const hook = async (id: string) => {
      const payload = { id, subscription_id: "s", event: "Stop", target: `for ${id}`, input_data: {} };
      const answer = await ask(agent, "HookRequest", payload, id).response;
      order.push(id);
      return answer;
    };
    expect(await Promise.all([hook("h1"), hook("h2")])).toEqual([
      { request_id: "h1", action: "allow", reason: "for h1" },
      { request_id: "h2", action: "allow", reason: "for h2" },
    ]);
    expect(order).toEqual(["h2", "h1"]);
  });

  test("a forgotten call ends with -32800 and a late answer is ignored (P-ENG-6)", async () => {
    const { wire, agent } = agentAlone();
    const call = ask(agent, "QuestionRequest", questionPayload(), "q1");
    call.forget();
    await expect(call.response).rejects.toMatchObject({ name: "WireError", code: -32800 });
    expect(await answersTo(wire, { id: "q1", result: { request_id: "q1", answers: {} } })).toHaveLength(1);
  });
});

describe("the end", () => {
  test("closing one side fails everything that is pending on both with CLOSED (P-ENG-7)", async () => {
    const never = new Promise<never>(() => {});
    const { agent, client } = pair({ prompt: () => never }, { request: () => never });
    const prompt = client.request("prompt", { user_input: "x" });
    const question = ask(agent, "QuestionRequest", questionPayload(), "q1").response;
    const settled = Promise.allSettled([prompt, question]);
    await turns(5);
    client.close();
    expect(await settled).toMatchObject([
      { status: "rejected", reason: { name: "LocalError", code: "CLOSED" } },
      { status: "rejected", reason: { name: "LocalError", code: "CLOSED" } },
    ]);
    expect(await agent.closed).toBeUndefined();
    expect(await client.closed).toBeUndefined();
    expect([agent.isClosed, client.isClosed]).toEqual([true, true]);
  });

  test("a call after the end fails with CLOSED and an event goes nowhere", async () => {
    const { agent, client } = pair({ cancel: () => ({}) });
    expect(client.isClosed).toBe(false);
    agent.close();
    agent.tell("event", "TurnEnd", {});
    await client.closed;
    await expect(client.request("cancel", {})).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("a message just before the end is still handled in order (P-ENG-7)", async () => {
    const heardTypes: string[] = [];
    const { agent, client } = pair(
      {
        prompt(_params, call) {
          for (const n of [1, 2, 3]) agent.tell("event", "StepBegin", { n });
          call.afterReply(() => {
            agent.tell("event", "TurnEnd", {});
            agent.close();
          });
          return { status: "finished" };
        },
      },
      { event: (event) => void heardTypes.push(event.type) },
    );
    const result = await client.request("prompt", { user_input: "x" });
    await client.closed;
    expect(result).toEqual({ status: "finished" });
    expect(heardTypes).toEqual(["StepBegin", "StepBegin", "StepBegin", "TurnEnd"]);
  });

  test("the cause of the end is told to whoever waits for it (P-ENG-7)", async () => {
    const { wire, agent } = agentAlone();
    const { response } = ask(agent, "QuestionRequest", questionPayload(), "q1");
    const cause = new Error("the cable");
    wire.end(cause);
    await expect(response).rejects.toMatchObject({ code: "CLOSED", cause });
    expect(await agent.closed).toBe(cause);
  });

  test("a peer that answers nothing leaves a call pending, and only that", async () => {
    const { client } = clientAlone();
    expect(await stateOf(client.request("cancel", undefined))).toBe("pending");
  });
});

test("a custom table of methods gets the same treatment", async () => {
  const { left, right } = linkedPair();
  const methods = {
    add: request(z.object({ a: z.number(), b: z.number() }), z.number()),
    log: taggedNotification({ line: z.object({ text: z.string() }) }),
  } as const;
  const lines: unknown[] = [];
  bindPeer({
    channel: left,
    local: methods,
    remote: {},
    handlers: { add: ({ a, b }) => a + b, log: (line) => void lines.push(line) },
  });
  const other = bindPeer({ channel: right, local: {}, remote: methods, handlers: {} });
  other.tell("log", "line", { text: "hello" });
  expect(await other.request("add", { a: 1, b: 2 })).toBe(3);
  expect(lines).toEqual([{ type: "line", payload: { text: "hello" } }]);
});
