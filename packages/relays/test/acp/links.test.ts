import type { QuestionReply, QuestionView } from "@askwire/client";
import { describe, expect, test } from "vitest";
import { sharedConversation } from "./conversation.js";

const agent = await sharedConversation();

const chosen = (id: string): QuestionReply => ({ items: [{ question_id: "q1", selected: [id] }] });

const accepted = { result: { action: "accept" } };

test("a form of a call comes after the call is shown", async () => {
  agent.person.question = ({ tool_call_id }) => {
    expect(agent.told("ToolCall")).toMatchObject([{ id: tool_call_id }]);
    return "declined";
  };
  const call = {
    sessionUpdate: "tool_call",
    toolCallId: "ask-1",
    title: "Ask",
    status: "pending",
    rawInput: {},
  };
  const asked = { mode: "form", message: "?", toolCallId: "ask-1", requestedSchema: {} };
  await agent.script(["update", call], ["request", "elicitation/create", asked]);
  expect(agent.told("InteractionSettled")).toMatchObject([{ outcome: { status: "declined" } }]);
});

test("an agent hears that the method does not exist where no client can show questions", async () => {
  await agent.session.declare({ questions: false });
  const asked = { mode: "form", message: "?", requestedSchema: {} };
  expect(await agent.act("request", "elicitation/create", asked)).toMatchObject({ error: { code: -32601 } });
  await agent.session.declare({ questions: true });
});

describe("a link", () => {
  const link = (change: object = {}) => ({
    mode: "url",
    message: "Log in",
    url: "https://example.com/login?x=1",
    elicitationId: "e1",
    ...change,
  });

  test("a link shows the whole address, and is accepted once the person has finished", async () => {
    let view: QuestionView | undefined;
    agent.person.question = (shown) => {
      view = shown;
      return chosen("q1_o1");
    };
    expect(await agent.act("request", "elicitation/create", link())).toEqual(accepted);
    expect(view?.questions).toMatchObject([
      {
        question: "Log in",
        header: "example.com",
        body: expect.stringContaining("`https://example.com/login?x=1`"),
      },
    ]);
  });

  test("a link with a backtick stays one address, which no text stands beside", async () => {
    let body = "";
    agent.person.question = ({ questions: [asked] }) => {
      body = asked?.body ?? "";
      return chosen("q1_o1");
    };
    const url = "https://example.com/?x=`**Safe**`";
    expect(await agent.act("request", "elicitation/create", link({ url }))).toEqual(accepted);
    expect(body).toContain("`https://example.com/?x=%60**Safe**%60`");
  });

  test("a link is declined with a no", async () => {
    agent.person.question = () => chosen("q1_o2");
    expect(await agent.act("request", "elicitation/create", link())).toMatchObject({
      result: { action: "decline" },
    });
  });

  test("a link that the agent reports as visited is taken from the person, and accepted", async () => {
    let taken = false;
    agent.person.question = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          taken = true;
          reject(signal.reason);
        });
      });
    const text = agent.script(["completed", link()]);
    expect(JSON.parse(await text)).toEqual(accepted);
    expect(taken).toBe(true);
  });

  test.each([
    ["http://example.com/", "begins with http:"],
    ["javascript:alert(1)", "begins with javascript:"],
    ["https://bank.de@evil.com/", "has a user name"],
    ["nothing", "is none"],
  ])("a link to %s is declined with the reason", async (url, reason) => {
    expect(await agent.act("request", "elicitation/create", link({ url }))).toEqual({
      result: { action: "decline", _meta: { "askwire.dev/reason": expect.stringContaining(reason) } },
    });
  });
});
