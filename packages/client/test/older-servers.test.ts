import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, test } from "vitest";
import { connect } from "../src/index.js";
import { approval, rawServer } from "./raw-server.js";

/** The fate of a connection whose `initialize` gets this answer, or none. */
async function greetedWith(answer: object | undefined) {
  const { left, right } = linkedPair();
  const closed = new Promise<boolean>((resolve) =>
    left.listen({
      message(text) {
        const { id } = JSON.parse(text) as { id: string };
        if (answer !== undefined) left.send(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
      },
      oversized() {},
      closed: () => resolve(true),
    }),
  );
  const failure = await connect(right, { initializeTimeoutMs: 50 }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { failure, closed };
}

const server = { name: "raw", version: "0" };

describe("the introduction", () => {
  test("the introduction is the first message: initialize under a text id, with our version (P-VER-1)", async () => {
    const { initialize } = await rawServer({ client: { name: "a-client", version: "7" } });
    expect(initialize).toMatchObject({
      jsonrpc: "2.0",
      id: expect.any(String),
      method: "initialize",
      params: {
        protocol_version: "1.10",
        client: { name: "a-client", version: "7" },
        capabilities: { supports_question: false, supports_plan_mode: false },
      },
    });
  });

  test("a server that does not know initialize is used without (P-CLI-3)", async () => {
    const { session, next, reply } = await rawServer({}, null);
    expect([session.server, session.slashCommands]).toEqual([undefined, []]);
    const turn = session.prompt("go");
    reply((await next()).id, { status: "finished" });
    expect(await turn.result).toEqual({ status: "finished" });
  });

  test.each(["1.1", "1.9", "1.11", "99.0", "2", "soon"])(
    "a server of version %s is talked to",
    async (version) => {
      const { session, next, reply } = await rawServer({}, version);
      expect(session.server?.protocol_version).toBe(version);
      const turn = session.prompt("go");
      reply((await next()).id, { status: "finished" });
      await turn.result;
    },
  );

  test("further fields of a newer server are kept, and its commands can be read", async () => {
    const slash_commands = [{ name: "compact", description: "Sums up.", aliases: ["c"], icon: "x" }];
    const { session } = await rawServer({}, "1.10", { slash_commands, theme: { dark: true } });
    expect(session.server).toMatchObject({ theme: { dark: true } });
    expect(session.slashCommands).toEqual(slash_commands);
  });

  test.each([
    ["without slash_commands", { protocol_version: "1.10", server }, "slash_commands: expected array"],
    ["without a server", { protocol_version: "1.10", slash_commands: [] }, "server: expected object"],
    ["of null", null, "expected object"],
    ["of text", "hello", "expected object"],
  ])(
    "a result %s is reported with what is wrong, and the connection is closed",
    async (_what, result, problem) => {
      const { failure, closed } = await greetedWith({ result });
      expect(failure).toMatchObject({
        code: "BAD_PEER",
        message: `malformed result of "initialize": ${problem}`,
      });
      expect(await closed).toBe(true);
    },
  );

  test("a refusal of initialize is reported by its number, and the connection is closed", async () => {
    const { failure, closed } = await greetedWith({ error: { code: -32000, message: "busy" } });
    expect(failure).toMatchObject({ name: "WireError", code: -32000, message: "busy" });
    expect(await closed).toBe(true);
  });

  test("a server that says nothing is given up (P-CLI-3)", async () => {
    const { failure, closed } = await greetedWith(undefined);
    expect(failure).toMatchObject({ code: "TIMEOUT" });
    expect(await closed).toBe(true);
  });
});

describe("older names and fields", () => {
  test("ApprovalRequestResolved takes an approval away, and is read as ApprovalResponse (P-MSG-9)", async () => {
    const seen: string[] = [];
    let signal: AbortSignal | undefined;
    const { ask, event, settled } = await rawServer({
      handlers: {
        approval: (_view, context) => {
          signal = context.signal;
          return new Promise(() => {});
        },
        event: ({ type }) => void seen.push(type),
      },
    });
    ask("ApprovalRequest", approval);
    event("ApprovalRequestResolved", { request_id: "a-1", response: "approve" });
    await settled();
    expect([signal?.aborted, seen]).toEqual([true, ["ApprovalResponse"]]);
  });

  test.each([
    ["task_tool_call_id", { task_tool_call_id: "tc-1" }, "tc-1"],
    ["no parent", { parent_tool_call_id: null }, null],
    ["neither", {}, null],
  ])("a SubagentEvent with %s is taken (P-MSG-10)", async (_what, fields, parent) => {
    const seen: unknown[] = [];
    const { event, settled } = await rawServer({ handlers: { event: (one) => void seen.push(one) } });
    event("SubagentEvent", { ...fields, event: { type: "TurnBegin", payload: {} } });
    await settled();
    expect(seen).toMatchObject([{ type: "SubagentEvent", payload: { parent_tool_call_id: parent } }]);
  });

  test("an approval of an older server, without source and display, is shown", async () => {
    const seen: unknown[] = [];
    const { ask, next } = await rawServer({
      handlers: {
        approval(view) {
          seen.push(view);
          return "approve";
        },
      },
    });
    ask("ApprovalRequest", approval);
    expect(await next()).toMatchObject({ result: { request_id: "a-1", response: "approve" } });
    expect(seen).toMatchObject([{ ...approval, display: [], source_kind: null }]);
  });
});

describe("the reply to a prompt", () => {
  test.each([[null], ["finished"], [{}], [{ status: 7 }], [{ status: 7 }], [[]]])(
    "the reply %j to a prompt is no result: a typed error, and the next prompt runs",
    async (result) => {
      const { session, next, reply } = await rawServer();
      const turn = session.prompt("go");
      reply((await next()).id, result);
      await expect(turn.result).rejects.toMatchObject({ name: "LocalError", code: "BAD_PEER" });
      const again = session.prompt("go");
      reply((await next()).id, { status: "max_steps_reached", steps: 3 });
      expect(await again.result).toEqual({ status: "max_steps_reached", steps: 3 });
    },
  );

  test.each([-32000, -32001, -32002, -32003, -32004, -32601, -32602, -32603, -32099])(
    "the error %i keeps its number and its text",
    async (code) => {
      const { session, next, fail } = await rawServer();
      const turn = session.prompt("go");
      fail((await next()).id, code, "because");
      await expect(turn.result).rejects.toMatchObject({ name: "WireError", code, message: "because" });
    },
  );

  test("replies to nothing, twice or under a number change nothing", async () => {
    const problems: string[] = [];
    const { session, next, reply, send } = await rawServer({
      onProblem: (problem) => void problems.push(problem),
    });
    const turn = session.prompt("go");
    const { id } = await next();
    send({ id: Number(id), result: { status: "cancelled" } });
    send({ id: "nobody's", result: {} });
    send({ id: null, error: { code: -32700, message: "Invalid JSON format" } });
    reply(id, { status: "finished" });
    reply(id, { status: "cancelled" });
    expect(await turn.result).toEqual({ status: "finished" });
    expect(problems).toHaveLength(4);
  });
});
