// @ts-check
// An agent for what those of the command never do: sub-agents, events of other programs, and failing.
//   node program.mjs

import { modelAgent, scriptedModel } from "@askwire/agent";
import { createServer, defineTool, requireApproval, serveStdio } from "@askwire/server";
import * as z from "zod";

const none = z.object({});

const clean = defineTool({
  name: "Clean",
  description: "Removes what was built.",
  parameters: none,
  async run() {
    await requireApproval({ action: "clean", description: "remove the folder build" });
    return "Clean.";
  },
});

const delegate = defineTool({
  name: "Delegate",
  description: "Has another agent do it.",
  parameters: none,
  async run(_none, { subagent }) {
    const scripts = [
      "think: Where to begin?\ntext: I clean up.\ntool_call: id=inner-1 name=Clean arguments={}",
      "text: It is clean.",
    ];
    const agent = modelAgent({ model: scriptedModel(scripts), tools: [clean] });
    const { text } = await subagent({ agent, type: "cleaner", input: "Clean up" });
    return text;
  },
});

const plain = modelAgent({
  model: scriptedModel([
    "tool_call: id=call-1 name=Delegate arguments={}",
    "text: Done.",
    "tool_call: id=call-2 name=Delegate arguments={}",
    "text: Not done.",
  ]),
  tools: [delegate],
});

/** @type {import("@askwire/server").Agent} */
const agent = {
  tools: [delegate],
  async run(turn) {
    if (turn.input === "fail") throw new TypeError("the agent broke");
    if (turn.input !== "tell") return plain.run(turn);
    turn.emit("MCPLoadingBegin", {});
    const servers = [{ name: "files", status: "connected", tools: ["list"] }];
    const mcp_status = { loading: false, connected: 1, total: 1, tools: 1, servers };
    turn.emit("StatusUpdate", {
      context_usage: null,
      context_tokens: null,
      max_context_tokens: null,
      token_usage: null,
      message_id: null,
      plan_mode: null,
      mcp_status,
    });
    turn.emit("MCPLoadingEnd", {});
    turn.emit("BtwBegin", { id: "btw-1", question: "What is this?" });
    turn.emit("BtwEnd", { id: "btw-1", response: "A recording.", error: null });
    turn.emit("Notification", {
      id: "notice-1",
      category: "task",
      type: "task.done",
      source_kind: "background_task",
      source_id: "task-1",
      title: "The task is done",
      body: "",
      severity: "info",
      created_at: 1_700_000_000.5,
      payload: { exit: 0 },
    });
    turn.emit("PlanDisplay", { content: "1. Look", file_path: "plan.md" });
    turn.say("That was all.");
  },
};

await serveStdio(createServer({ agent, name: "program", version: "1.0.0" }));
