import { ask, defineTool, keepIn, sessionFolder } from "@askwire/server";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { meetExtended } from "../../server/test/extended/extended-client.js";
import { messagesOf, temporaryFolder } from "../../server/test/journal-folder.js";
import type { RawClient } from "../../server/test/raw-client.js";
import { approvedTool, callLine, keptLog } from "../../server/test/scenario.js";
import { until } from "../../server/test/until.js";
import { askedOverBase, asksUser, done, readByModel, redcScenario, region } from "./redc-scene.js";

/** A tool that ends when it is let go, and says when it began. */
function gated(name: string) {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const began: string[] = [];
  const tool = defineTool({
    name,
    description: name,
    parameters: z.looseObject({}),
    async run() {
      began.push(name);
      await gate;
      return `${name} done`;
    },
  });
  return { tool, began, letGo };
}

const asked = (client: RawClient) => client.received.filter(({ method }) => method === "request").length;

describe("a step with a call before the question and one after it", () => {
  const step = [callLine("Before", {}, "b-1"), asksUser(), callLine("After", {}, "a-1")].join("\n");

  test("a step ends the call before its question before it asks, and begins the call after it once it is answered (P-RED-3)", async () => {
    const [before, after] = [gated("Before"), gated("After")];
    const set = redcScenario([step, done], { tools: [before.tool, after.tool] });
    const { client } = await set.meet();
    const prompt = client.call("prompt", { user_input: "go" });
    await until(() => before.began.length === 1);
    await client.settled();
    expect([asked(client), after.began.length]).toEqual([0, 0]);
    before.letGo();
    const question = await client.seen("QuestionRequest");
    await client.settled();
    expect(after.began).toEqual([]);
    client.reply(question, { request_id: question.id, answers: { "Which region?": "Singapore" } });
    await client.seen("ToolResult", 2);
    await client.settled();
    expect(after.began).toEqual(["After"]);
    after.letGo();
    await prompt;
    const results = set.model.requests[1]?.messages.slice(-3);
    expect(results).toMatchObject([
      { tool_call_id: "b-1", result: { output: "Before done" } },
      { tool_call_id: "tc-1", result: { output: "Singapore" } },
      { tool_call_id: "a-1", result: { output: "After done" } },
    ]);
  });

  test("a step with two questions asks one after the other (P-RED-3)", async () => {
    const scripts = [`${asksUser()}\n${asksUser({ question: "And then?" }, "tc-2")}`, done];
    const open = await askedOverBase(scripts);
    const { client, prompt, model } = open;
    await client.settled();
    expect(asked(client)).toBe(1);
    client.reply(open.asked, { request_id: open.asked.id, answers: { "Which region?": "Singapore" } });
    const next = await client.seen("QuestionRequest", 2);
    client.reply(next, { request_id: next.id, answers: { "And then?": "Rest" } });
    await prompt;
    expect([readByModel(model.requests), readByModel(model.requests, 1, "tc-2")]).toMatchObject([
      { output: "Singapore" },
      { output: "Rest" },
    ]);
  });
});

describe("the switch", () => {
  const off = "ask_user 已关闭，请自行判断并继续";

  test("the tool is switched on unless it is set otherwise", async () => {
    for (const settings of [undefined, {}, { enabled: true }, { enabled: () => true }]) {
      const { meet, model } = redcScenario([done], { settings });
      const { client } = await meet();
      await client.call("prompt", { user_input: "go" });
      expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["ask_user"]);
    }
  });

  test("a tool that is switched off is not offered to the model, and a call nevertheless is refused (P-RED-5)", async () => {
    const { meet, model } = redcScenario([asksUser(), done], { settings: { enabled: false } });
    const { client } = await meet();
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    expect(model.requests.map(({ tools, system }) => [tools, system])).toEqual([
      [[], undefined],
      [[], undefined],
    ]);
    expect(asked(client)).toBe(0);
    expect(readByModel(model.requests)).toMatchObject({
      output: off,
      is_error: true,
      extras: { success: false },
    });
  });

  test("a switch that is turned while the session runs counts from the next step and call (P-RED-5)", async () => {
    let enabled = true;
    const scripts = [asksUser(), asksUser(undefined, "tc-2"), done];
    const open = await askedOverBase(scripts, { settings: { enabled: () => enabled } });
    enabled = false;
    open.client.reply(open.asked, { request_id: open.asked.id, answers: { "Which region?": "Singapore" } });
    await open.prompt;
    expect(open.model.requests.map(({ tools }) => tools.length)).toEqual([1, 0, 0]);
    expect(readByModel(open.model.requests).output).toBe("Singapore");
    expect(readByModel(open.model.requests, 2, "tc-2").output).toBe(off);
  });

  test("a tool that is switched off leaves what other tools ask before they act (P-RED-5)", async () => {
    const set = redcScenario([callLine("Shell", {}, "s-1"), done], {
      settings: { enabled: false },
      tools: [approvedTool("Shell")],
    });
    const { client } = await set.meet();
    const { prompt, asked: request } = await client.begin("ApprovalRequest");
    client.reply(request, { request_id: request.id, response: "approve", feedback: "" });
    await prompt;
    expect(readByModel(set.model.requests, 1, "s-1").output).toBe("done");
  });

  test("a tool that is switched off leaves what an agent asks by itself (P-RED-5)", async () => {
    const options = [
      { id: "go", label: "Yes, proceed" },
      { id: "stop", label: "No, cancel" },
    ];
    const chosen: unknown[] = [];
    const run = async () => {
      chosen.push((await ask({ question: "Confirm execution?", options, own_text: false })).answer);
    };
    const {
      client,
      prompt,
      asked: question,
    } = await askedOverBase([], { settings: { enabled: false }, run });
    client.reply(question, { request_id: question.id, answers: { "Confirm execution?": "No, cancel" } });
    await prompt;
    expect(chosen).toEqual(["stop"]);
  });
});

describe("a program that lists tools from outside", () => {
  const tool = (name: string) => ({
    name,
    description: name,
    parameters: { type: "object", properties: {} },
  });

  test.each([true, false])(
    "a program that lists tools from outside does not see ask_user, and may not bring a tool of that name; switched on: %s (P-DIA-1)",
    async (enabled) => {
      const { connect } = redcScenario([], { settings: { enabled } });
      const { client } = connect();
      const params = { protocol_version: "1.10", capabilities: { supports_question: true } };
      const { result } = await client.call("initialize", params);
      expect(JSON.stringify(result)).not.toContain("ask_user");
      const external_tools = [tool("ask_user"), tool("Weather")];
      const again = await client.call("initialize", { ...params, external_tools });
      expect(again.result?.external_tools).toEqual({
        accepted: ["Weather"],
        rejected: [{ name: "ask_user", reason: expect.stringContaining("built") }],
      });
    },
  );
});

describe("the kept part of a session", () => {
  test("the kept part of a session has the question, who answered it, and the answer for the model of the next process (P-JRN-5)", async () => {
    const place = { share: temporaryFolder(), workDir: "/work" };
    const id = "11111111-1111-4111-8111-111111111111";
    const keep = keepIn({ ...place, log: keptLog() });
    const first = redcScenario([asksUser(), done], { keep });
    const { client } = await meetExtended(first, { sessionId: id }, { name: "desk" });
    const prompt = client.call("prompt", { user_input: "go" });
    await client.answer(await client.asked("QuestionRequest"), {
      items: [{ question_id: "q1", selected: ["q1_o1"] }],
    });
    await prompt;
    await first.server.close();
    const settled = messagesOf(sessionFolder({ ...place, id })).filter(
      ({ type }) => type === "InteractionSettled",
    );
    expect(settled.map(({ payload }) => payload)).toMatchObject([
      { kind: "question", outcome: { status: "answered", by: "human", client: { name: "desk" } } },
    ]);

    const second = redcScenario([done], { keep });
    const session = second.server.createSession({ id });
    await session.prompt("and now?");
    expect(readByModel(second.model.requests, 0).output).toBe(region.choices[0]);
    await second.server.close();
  });
});
