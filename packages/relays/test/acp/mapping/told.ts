import { expect } from "vitest";
import { type Agent, parts, type Row, text } from "./row.js";

const update = (kind: string, members: object) => ["update", { sessionUpdate: kind, ...members }];
const chunk = (content: object) => update("agent_message_chunk", { content });

/** Tells one content block, and expects one part for clients. */
const told = (content: object, part: object) => async (agent: Agent) => {
  await agent.script(chunk(content));
  expect(parts(agent)).toMatchObject([part]);
};

/** The updates of an agent. */
export const said: readonly Row[] = [
  {
    acp: "`agent_message_chunk`, text",
    askwire: "ContentPart `text`",
    lost: "`messageId`, annotations",
    trip: told(text("hello"), text("hello")),
  },
  {
    acp: "`agent_thought_chunk`",
    askwire: "ContentPart `think`",
    lost: "–",
    async trip(agent) {
      await agent.script(update("agent_thought_chunk", { content: text("Hm.") }));
      expect(parts(agent)).toMatchObject([{ type: "think", think: "Hm." }]);
    },
  },
  {
    acp: "image, audio",
    askwire: "ContentPart `image_url`, `audio_url` with a data URL",
    lost: "the address beside the data",
    trip: told(
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    ),
  },
  {
    acp: "resource_link, resource",
    askwire: "ContentPart `text`: a link, or the text of the resource",
    lost: "size, type; a resource that is no text is a link",
    trip: told({ type: "resource_link", name: "notes", uri: "file:///n" }, text("[notes](file:///n)")),
  },
  {
    acp: "`tool_call`, `tool_call_update`",
    askwire:
      "ToolCall once its arguments are known, ToolResult once it has ended; a step begins when the agent speaks after all results",
    lost: "changes of title and output before the end",
    async trip(agent) {
      const call = { toolCallId: "c", title: "Read a", kind: "read" };
      await agent.script(
        update("tool_call", { ...call, status: "pending" }),
        update("tool_call_update", { toolCallId: "c", rawInput: { path: "a" } }),
        update("tool_call_update", { toolCallId: "c", status: "completed", rawOutput: "text" }),
      );
      expect(agent.told("ToolCall")).toMatchObject([
        { function: { name: "Read a", arguments: '{"path":"a"}' } },
      ]);
      expect(agent.told("ToolResult")).toMatchObject([{ return_value: { is_error: false, output: "text" } }]);
    },
  },
  {
    acp: "the content `diff` of a call; the command of a call of the kind `execute`",
    askwire: "display blocks `diff` and `shell`",
    lost: "equal lines far from a change; in version 2 a patch that renames, or does more than change lines, is shown as text",
    async trip(agent) {
      const content = [{ type: "diff", path: "/a", oldText: "1\n", newText: "2\n" }];
      await agent.script(
        update("tool_call", { toolCallId: "c", title: "Edit", status: "completed", content }),
      );
      expect(agent.told("ToolResult")).toMatchObject([
        { return_value: { display: [{ type: "diff", path: "/a", old_text: "1", new_text: "2" }] } },
      ]);
    },
  },
  {
    acp: "`plan`",
    askwire: "a call `Plan` whose result shows the block `todo`",
    lost: "priorities",
    async trip(agent) {
      await agent.script(
        update("plan", { entries: [{ content: "Look", priority: "low", status: "completed" }] }),
      );
      expect(agent.told("ToolResult")).toMatchObject([
        { return_value: { display: [{ type: "todo", items: [{ title: "Look", status: "done" }] }] } },
      ]);
    },
  },
  {
    acp: "`usage_update`",
    askwire: "StatusUpdate `context_tokens`, `max_context_tokens`, `context_usage`",
    lost: "the cost",
    async trip(agent) {
      await agent.script(update("usage_update", { used: 10, size: 40 }));
      expect(agent.session.status).toMatchObject({
        context_tokens: 10,
        max_context_tokens: 40,
        context_usage: 0.25,
      });
    },
  },
  {
    acp: "`session_info_update`",
    askwire: "the title in lists of sessions",
    lost: "`updatedAt`",
    async trip(agent) {
      await agent.script(update("session_info_update", { title: "Parsers" }));
      expect(agent.server.listSessions()[0]?.title).toBe("Parsers");
    },
  },
  {
    acp: "`notice`",
    askwire: "Notification",
    lost: "–",
    async trip(agent) {
      await agent.script(update("notice", { severity: "info", title: "Slow", description: "Busy." }));
      expect(agent.told("Notification")).toMatchObject([{ severity: "info", title: "Slow", body: "Busy." }]);
    },
  },
  {
    acp: "`compaction_update`",
    askwire: "CompactionBegin, CompactionEnd",
    lost: "the summary",
    async trip(agent) {
      await agent.script(
        update("compaction_update", { compactionId: "c", status: "in_progress" }),
        update("compaction_update", { compactionId: "c", status: "completed" }),
      );
      expect(agent.events.map(({ type }) => type)).toEqual(
        expect.arrayContaining(["CompactionBegin", "CompactionEnd"]),
      );
    },
  },
  {
    acp: "`available_commands_update`",
    askwire: "slash commands, CommandsChanged",
    lost: "the hint is part of the description",
    async trip(agent) {
      const availableCommands = [{ name: "test", description: "Run the tests", input: { hint: "file" } }];
      await agent.script(update("available_commands_update", { availableCommands }));
      expect(agent.session.slashCommands).toContainEqual(
        expect.objectContaining({ name: "test", description: "Run the tests (file)" }),
      );
      expect(await agent.say("/test a")).toBe("You said: /test a");
    },
  },
  {
    acp: "modes, `current_mode_update`, `session/set_mode`",
    askwire:
      "plan mode where a mode is for planning; the slash command `/mode`; `onChosen`, which the row below the prompt of `askwire chat` shows with the model",
    lost: "descriptions of modes outside of the question",
    async trip(agent) {
      await agent.session.setPlanMode(true);
      await expect.poll(() => agent.act("mode")).toBe("plan");
      await agent.script(update("current_mode_update", { currentModeId: "code" }));
      expect(agent.session.status.plan_mode).toBe(false);
      await agent.say("/mode Code");
      expect(await agent.act("mode")).toBe("code");
    },
  },
  {
    acp: "config options, `session/set_config_option`",
    askwire: "a slash command for each, with a value or with a question",
    lost: "groups",
    async trip(agent) {
      await agent.say("/model large");
      expect(await agent.act("model")).toBe("large");
    },
  },
  {
    acp: "the stop reasons `max_tokens`, `refusal`",
    askwire: "the turn is finished, and a Notification says why; `max_turn_requests` is `max_steps_reached`",
    lost: "–",
    async trip(agent) {
      await agent.script(["stop", "refusal"]);
      expect(agent.told("Notification")).toMatchObject([{ title: "The agent refuses to go on" }]);
    },
  },
];
