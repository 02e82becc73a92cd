import { fileURLToPath } from "node:url";
import type { ApprovalView } from "@askwire/client";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { conversation, openConversation } from "./conversation.js";

const command = [process.execPath, fileURLToPath(new URL("./scripted-draft-agent.mjs", import.meta.url))];
let agent: Awaited<ReturnType<typeof openConversation>>;
beforeAll(async () => {
  agent = await openConversation({ command });
  return () => agent.close();
});
beforeEach(() => void agent.events.splice(0));

describe("an agent of the draft of ACP 2", () => {
  test("an agent of the draft shows calls by updates alone, with their output in pieces and differences as a patch", async () => {
    const patch = "--- a/notes.md\n+++ b/notes.md\n@@ -1 +1 @@\n-one\n+two\n";
    const changes = [{ operation: "modify", path: "/a/notes.md" }];
    const update = (more: object) => [
      "update",
      { sessionUpdate: "tool_call_update", toolCallId: "c", ...more },
    ];
    await agent.script(
      update({ title: "Edit", name: "edit", status: "in_progress", rawInput: { path: "notes.md" } }),
      [
        "update",
        {
          sessionUpdate: "tool_call_content_chunk",
          toolCallId: "c",
          content: { type: "content", content: { type: "text", text: "done" } },
        },
      ],
      [
        "update",
        {
          sessionUpdate: "tool_call_content_chunk",
          toolCallId: "c",
          content: { type: "diff", changes, patch: { format: "git_patch", text: patch } },
        },
      ],
      update({ status: "completed" }),
      update({ status: "completed", title: "late" }),
    );
    expect(agent.told("ToolCall")).toMatchObject([{ function: { name: "edit" } }]);
    expect(agent.told("ToolResult")).toMatchObject([
      {
        return_value: {
          is_error: false,
          output: "done",
          display: [{ type: "diff", path: "/a/notes.md", old_text: "one\n", new_text: "two\n" }],
        },
      },
    ]);
  });

  test("an agent of the draft shows its plan as a list of what is to do", async () => {
    const entries = [{ content: "Look", priority: "high", status: "in_progress" }];
    await agent.script([
      "update",
      { sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries } },
    ]);
    expect(agent.told("ToolResult")).toMatchObject([
      { return_value: { display: [{ type: "todo", items: [{ title: "Look", status: "in_progress" }] }] } },
    ]);
  });

  test("an agent of the draft asks for permission for a command without a call, with a title and a custom kind of option", async () => {
    const views: ApprovalView[] = [];
    agent.person.approval = (view) => {
      views.push(view);
      return { option: "yes" };
    };
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    const subject = { type: "command", command: "rm -r build", cwd: "/a" };
    const asked = { title: "Remove the build", description: "It is old.", subject, options };
    const reply = await agent.act("request", "session/request_permission", asked);
    expect(reply).toEqual({ result: { outcome: { outcome: "selected", optionId: "yes" } } });
    expect(views).toMatchObject([
      {
        description: "Remove the build",
        display: [
          { type: "brief", text: "It is old." },
          { type: "shell", command: "rm -r build" },
        ],
      },
    ]);
    expect(agent.told("ToolCall")).toEqual([]);
  });

  test("an agent of the draft asks forms, and the answer may be anything that the form allows", async () => {
    agent.person.question = () => ({ items: [{ question_id: "q1", selected: [], own_text: "3" }] });
    const requestedSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const asked = { mode: "form", message: "How many?", requestedSchema };
    expect(await agent.act("request", "elicitation/create", asked)).toEqual({
      result: { action: "accept", content: { n: 3 } },
    });
  });

  test("an agent of the draft has its mode as a setting, which plan mode of the session follows", async () => {
    expect(agent.session.slashCommands.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["mode", "review"]),
    );
    await agent.session.setPlanMode(true);
    await expect.poll(() => agent.act("mode")).toBe("plan");
    await agent.say("/mode Code");
    expect(agent.session.status.plan_mode).toBe(false);
  });

  test("an agent of the draft ends a prompt with its error, or cancelled", async () => {
    await expect(agent.session.prompt('[["fail"]]').result).rejects.toMatchObject({
      code: -32003,
      message: "no model",
    });
    const turn = agent.session.prompt('[["untilCancelled"]]');
    await expect.poll(() => agent.told("TurnBegin").length).toBe(2);
    await agent.session.cancel();
    expect(await turn.result).toEqual({ status: "cancelled" });
    expect(await agent.act("mode")).toBe("code");
  });
});

test("a session that resumes a conversation of an agent of the draft finds what was said before", async () => {
  const joined = await conversation({ command, conversation: "earlier" });
  const history: unknown[] = [];
  await joined.session.replay({ event: ({ payload }) => void history.push(payload) });
  expect(history).toMatchObject([
    { user_input: [{ text: "before" }] },
    { n: 1 },
    { text: "and after" },
    { plan_mode: false },
    {},
  ]);
});
