import { describe, expect, test } from "vitest";
import { approvedTool, asks, callLine, colour } from "../../server/test/scenario.js";
import { brokenRules } from "../src/rules.js";
import { Trajectory } from "../src/trajectory.js";
import {
  delegate,
  fill,
  id,
  keptSession,
  nativeCall,
  nativeQuery,
  query,
  said,
  trajectoryIn,
  trajectoryOf,
  written,
} from "./kept-session.js";

const told = {
  query:
    '<result>\n{"status":"success","tool_id":"box","action":"run_code","parameters":{"code":{"type":"string"}}}\n</result>',
  call: "<result>\nran 1\n</result>",
};

describe("a session in which the model asks for parameters", () => {
  test("a session with queries in its text is exported as query, result, call, result, answer, with true roles and masks (P-TRJ-1 to P-TRJ-4)", async () => {
    const read = await trajectoryOf(
      [`think: What does it need?\n${query()}`, `think: Code.\ntext: I run it. \n${fill()}`, "text: It ran."],
      ["run 1"],
    );
    expect(read).toEqual({
      version: 1,
      session: id,
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      duration_s: expect.any(Number),
      task: "run 1",
      messages: [
        { role: "user", content: "run 1", loss: false },
        { role: "assistant", content: `<think>What does it need?</think>\n${written.query}`, loss: true },
        { role: "tool", content: told.query, loss: false },
        { role: "assistant", content: `<think>Code.</think>\nI run it.${written.call}`, loss: true },
        { role: "tool", content: told.call, loss: false },
        { role: "assistant", content: "It ran.", loss: true },
      ],
      flags: {
        queries: 1,
        filled_after_query: 1,
        validation_errors: 0,
        unanswered_queries: 0,
        dropped_calls: 0,
        hallucinated_result: false,
        success: true,
      },
    });
    expect(brokenRules(read)).toEqual([]);
    expect(Trajectory.parse(read)).toEqual(read);
  });

  test("a session with its provider's calls is exported as tool_calls, and results by their ids (P-TRJ-4)", async () => {
    const read = await trajectoryOf([`text: I look.\n${nativeQuery}\n${nativeCall}`, "text: Done."]);
    expect(read.messages.slice(1, 4)).toEqual([
      {
        role: "assistant",
        content: "I look.",
        loss: true,
        tool_calls: [
          { id: "q-1", name: "param_query", arguments: '{"tool_id":"box","action":"Run-Code"}' },
          { id: "c-1", name: "run_code", arguments: '{"code":"1"}' },
        ],
      },
      { role: "tool", tool_call_id: "q-1", content: expect.stringContaining("Run-Code"), loss: false },
      { role: "tool", tool_call_id: "c-1", content: "ran 1", loss: false },
    ]);
    expect(brokenRules(read)).toEqual([]);
  });

  test("a session is exported as it resumes in another process (P-TRJ-2)", async () => {
    const first = keptSession([query(), "text: One."]);
    const { client } = await first.meet({ sessionId: id });
    await client.call("prompt", { user_input: "first" });
    await first.server.close();
    const second = keptSession(["text: Two."], {}, first.share);
    const again = (await second.meet({ sessionId: id })).client;
    await again.call("prompt", { user_input: [{ type: "text", text: "second" }, picture] });
    await second.server.close();
    const read = await trajectoryIn(second.file);
    expect(said(read).slice(3)).toEqual(["assistant: One.", "user: second\n[image_url]", "assistant: Two."]);
    expect([read.task, read.flags.success]).toEqual(["first", true]);
  });
});

const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };

describe("a session with a person", () => {
  test("a session has a question's answer and its refusal as results, which nobody learns (P-TRJ-3)", async () => {
    const { meet, server, file } = keptSession([asks(), asks([colour], "tc-2"), "text: Fine."]);
    const { client } = await meet({ sessionId: id });
    const prompt = client.call("prompt", { user_input: "paint" });
    for (const [n, answers] of [{ "Which colour?": "Red" }, {}].entries()) {
      const asked = await client.seen("QuestionRequest", n + 1);
      client.reply(asked, { request_id: asked.id, answers });
    }
    await prompt;
    await server.close();
    const read = await trajectoryIn(file);
    expect(read.messages.map(({ role, loss }) => `${role} ${loss}`)).toEqual([
      "user false",
      "assistant true",
      "tool false",
      "assistant true",
      "tool false",
      "assistant true",
    ]);
    expect(said(read)[2]).toContain('{"answers": {"Which colour?": "Red"}}');
    expect(said(read)[4]).toContain('"answers": {}');
    expect(brokenRules(read)).toEqual([]);
  });

  test("a session has the result of an approval and no approval, and what was said meanwhile after it (P-TRJ-2)", async () => {
    const tools = [approvedTool("Shell")];
    const { meet, server, file } = keptSession([callLine("Shell", {}), "text: done"], { tools });
    const { client } = await meet({ sessionId: id });
    const prompt = client.call("prompt", { user_input: "list" });
    const request = await client.seen("ApprovalRequest");
    await client.call("steer", { user_input: "quickly" });
    client.reply(request, { request_id: request.id, response: "reject", feedback: "not now" });
    await prompt;
    await server.close();
    expect(said(await trajectoryIn(file))).toEqual([
      "user: list",
      "assistant: ",
      "tool: <system>ERROR: Rejected: not now</system>",
      "user: quickly",
      "assistant: done",
    ]);
  });

  test("a session has nothing of what sub-agents and slash commands did (P-TRJ-2)", async () => {
    const commands = () => [
      { name: "hello", description: "", run: async (turn: { say(text: string): void }) => turn.say("hi") },
    ];
    const read = await trajectoryOf([callLine("Agent", {}), "text: outer words"], ["/hello", "work"], {
      tools: [delegate([nativeCall, "text: inner words"])],
      agentOptions: { commands },
    });
    expect(said(read)).toEqual([
      "user: work",
      "assistant: ",
      expect.stringMatching(/^tool: .*inner words/),
      "assistant: outer words",
    ]);
    expect(read.task).toBe("work");
  });
});
