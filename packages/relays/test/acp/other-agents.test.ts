import type { ApprovalView } from "@askwire/client";
import { startProcess } from "@askwire/client/stdio";
import type { ChannelSink } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import type { IntroducedAgent } from "../../src/acp.js";
import { conversation, scripted } from "./conversation.js";
import { olderExample } from "./older-sdk.js";

test("the example agent of the official SDK 1.9 runs unchanged", async () => {
  const agent = await conversation({ command: olderExample("agent.js") });
  const views: ApprovalView[] = [];
  agent.person.approval = (view) => {
    views.push(view);
    return { option: "allow" };
  };
  expect(await agent.say("hello")).toContain("I've successfully updated the configuration");
  expect(views).toMatchObject([
    {
      description: "Modifying critical configuration file",
      options: [
        { id: "allow", label: "Allow this change", kind: "allow" },
        { id: "reject", label: "Skip this change", kind: "reject" },
      ],
    },
  ]);
  expect(agent.told("ToolResult")).toMatchObject([
    { tool_call_id: "call_1", return_value: { output: expect.stringContaining("# My Project") } },
    { tool_call_id: "call_2", return_value: { is_error: false } },
  ]);
});

describe("the example agent of the SDK 1.9 that speaks both versions", () => {
  test.each([
    [2, "Hello from the v2 implementation."],
    [1, "Hello from the v1 implementation."],
  ] as const)(
    "the example agent of both versions speaks version %i where that is the newest offered",
    async (newestVersion, words) => {
      const agent = await conversation({ command: olderExample("dual-version-agent.js"), newestVersion });
      expect(await agent.say("hello")).toBe(words);
      expect(await agent.say("hello again")).toBe(words);
    },
  );

  test("the example agent of both versions is cancelled in version 2", async () => {
    const agent = await conversation({ command: olderExample("dual-version-agent.js") });
    const turn = agent.session.prompt("hello");
    await expect.poll(() => agent.told("TurnBegin").length).toBe(1);
    await agent.session.cancel();
    expect(await turn.result).toEqual({ status: "cancelled" });
    expect(await agent.say("next")).toBe("Hello from the v2 implementation.");
  });
});

/** Starts an agent and introduces us to it, as a probe does. */
async function introduced(command: readonly string[], sent: string[], holds: Promise<unknown>[]) {
  const [program = "", ...args] = command;
  const { channel } = startProcess(program, args);
  return new Promise<IntroducedAgent>((resolve) => {
    let sink: ChannelSink = {
      message(text) {
        sink = { message() {}, oversized() {}, closed() {} };
        const listen = (to: ChannelSink) => {
          sink = to;
        };
        const send = (text: string) => {
          sent.push(text);
          channel.send(text);
        };
        const hold = (until: Promise<unknown>) => {
          holds.push(until);
          channel.hold?.(until);
        };
        resolve({ channel: { ...channel, listen, send, hold }, initialized: JSON.parse(text).result });
      },
      oversized() {},
      closed() {},
    };
    channel.listen({
      message: (text) => sink.message(text),
      oversized: (bytes) => sink.oversized(bytes),
      closed: (cause) => sink.closed(cause),
    });
    const params = { protocolVersion: 1, clientCapabilities: {}, protocol_version: "1.10" };
    channel.send(JSON.stringify({ jsonrpc: "2.0", id: "probe", method: "initialize", params }));
  });
}

test("an agent that has introduced itself already is not asked to again, and is made to wait where clients are slow", async () => {
  const sent: string[] = [];
  const holds: Promise<unknown>[] = [];
  const first = await introduced(scripted(), sent, holds);
  const agent = await conversation({ introduced: first });
  expect(await agent.say("hello")).toBe("You said: hello");
  expect(sent.map((text) => JSON.parse(text).method)).toEqual(["session/new", "session/prompt"]);
  const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } };
  expect(await agent.script(["updates", chunk, 200])).toHaveLength(200);
  expect(holds).toHaveLength(3);
});

test("a client of the base profile answers permissions in its words, or by a question, and forms as text", async () => {
  const agent = await conversation({ client: { profile: "base" } });
  const options = [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "always", name: "Always", kind: "allow_always" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
  const toolCall = { toolCallId: "c", title: "Do it" };
  agent.person.approval = () => "approve_for_session";
  expect(await agent.act("request", "session/request_permission", { toolCall, options })).toMatchObject({
    result: { outcome: { optionId: "always" } },
  });
  agent.person.question = ({ questions: [question] }) => ({
    answers: { [question?.question ?? ""]: question?.options.length === 0 ? "7" : "No, never" },
  });
  const never = { optionId: "never", name: "No, never", kind: "reject_always" };
  expect(
    await agent.act("request", "session/request_permission", { toolCall, options: [...options, never] }),
  ).toMatchObject({ result: { outcome: { optionId: "never" } } });
  const requestedSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  expect(
    await agent.act("request", "elicitation/create", { mode: "form", message: "How many?", requestedSchema }),
  ).toEqual({
    result: { action: "accept", content: { n: 7 } },
  });
});
