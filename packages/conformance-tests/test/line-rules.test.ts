import { describe, expect, test } from "vitest";
import { lineRules } from "../src/client/line-rules.js";
import { goOn, questionPayload, requestMessage, welcome } from "../src/client/server-messages.js";

const initialize = {
  id: "1",
  method: "initialize",
  params: { protocol_version: "1.10", client: { name: "x" }, capabilities: { supports_question: true } },
};
const prompt = { id: "2", method: "prompt", params: { user_input: "hello" } };
const question = { ...questionPayload([goOn]), id: "q" };

/** The expectations that messages of a client break, after the suite has said something. */
function wrongIn(messages: readonly object[], told: readonly object[] = []): string[] {
  const rules = lineRules();
  for (const message of told) rules.told(JSON.stringify(message));
  return messages.flatMap((message) => rules.heard({ ...message })?.expected ?? []);
}

describe("a line of a client", () => {
  test.each<[string, object]>([
    ["a request of the base profile", initialize],
    ["a request without jsonrpc", prompt],
    ["a request of a method that nobody knows", { id: "3", method: "x/more", params: 5 }],
    ["an answer", { id: "q", result: { request_id: "q", answers: { "Shall I go on?": "Yes" } } }],
    ["a refusal", { id: "q", error: { code: -32601, message: "no" } }],
    ["an error about what it cannot read", { id: null, error: { code: -32700, message: "no JSON" } }],
    [
      "what means something in the extended profile alone",
      { ...prompt, params: { user_input: "", turn_id: 7 } },
    ],
  ])("a line of a client may be %s", (_what, message) => {
    expect(wrongIn([message], [requestMessage("QuestionRequest", question)])).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["has another jsonrpc", { ...prompt, jsonrpc: "1.0" }, 'jsonrpc "2.0"'],
    ["is a method and a result", { ...prompt, result: {} }, "a method, a result or an error"],
    ["is nothing", {}, "a method, a result or an error"],
    [
      "has an error without a message",
      { id: "q", error: { code: 1 } },
      "an error {code: integer, message: text}",
    ],
    ["answers under id null", { id: null, result: {} }, "no answer under id null"],
    [
      "answers a notification",
      { id: null, error: { code: -32601, message: "?" } },
      "no answer under id null",
    ],
    ["answers what was not asked", { id: "other", result: {} }, 'no answer to "other"'],
    ["has a prompt that is a number", { ...prompt, params: { user_input: 1 } }, "the params of prompt"],
    [
      "has a client without a name",
      { ...initialize, params: { ...initialize.params, client: {} } },
      "client.name",
    ],
    [
      "has an answer that is a list",
      { id: "q", result: { request_id: "q", answers: { x: ["Yes"] } } },
      "answers.x",
    ],
  ])("a line of a client is wrong where it %s", (_what, message, expected) => {
    const [wrong, ...more] = wrongIn([message], [requestMessage("QuestionRequest", question)]);
    expect(wrong).toContain(expected);
    expect(more).toEqual([]);
  });

  test("a client answers a request once", () => {
    const answer = { id: "q", result: { request_id: "q", answers: {} } };
    const asked = requestMessage("QuestionRequest", question);
    expect(wrongIn([answer, answer], [asked])).toEqual(['one answer to "q"']);
    expect(wrongIn([answer, answer], [asked, asked])).toEqual([]);
  });

  test("a line of a client is of the extended profile once that is negotiated", () => {
    const greeting = { id: "1", result: { ...welcome, capabilities: { askwire: { revision: 3 } } } };
    const message = { ...prompt, params: { user_input: "", turn_id: 7 } };
    expect(wrongIn([message], [greeting])).toEqual([expect.stringContaining("turn_id")]);
  });
});
