import type { WireEventInput } from "@askwire/protocol";
import { eventMessage, textMessage, toolCall, toolResultMessage } from "./server-messages.js";

const sent = ({ type, payload }: WireEventInput) => eventMessage(type, payload);

/** Every event of Wire 1.10 that can come in the middle of a step, in an order that can occur. */
export const eventsOfAStep: readonly object[] = [
  sent({ type: "MCPLoadingBegin", payload: {} }),
  sent({ type: "MCPLoadingEnd", payload: {} }),
  sent({ type: "CompactionBegin", payload: {} }),
  sent({ type: "CompactionEnd", payload: {} }),
  sent({
    type: "StepRetry",
    payload: {
      ...{ n: 1, next_attempt: 2, max_attempts: 3, wait_s: 0.3 },
      ...{ error_type: "APIStatusError", status_code: 503 },
    },
  }),
  sent({ type: "ContentPart", payload: { type: "think", think: "The tests come first.", encrypted: null } }),
  textMessage("I run the tests."),
  toolCall("call_1", "Shell"),
  sent({ type: "ToolCallPart", payload: { arguments_part: " " } }),
  sent({ type: "HookTriggered", payload: { event: "PreToolUse", target: "Shell", hook_count: 1 } }),
  sent({
    type: "HookResolved",
    payload: { ...{ event: "PreToolUse", target: "Shell" }, action: "allow", reason: "", duration_ms: 12 },
  }),
  sent({ type: "ApprovalResponse", payload: { request_id: "approval-1", response: "approve" } }),
  toolResultMessage("call_1", "All 42 passed."),
  sent({
    type: "SubagentEvent",
    payload: {
      ...{ parent_tool_call_id: "call_2", agent_id: "a1", subagent_type: "coder" },
      event: { type: "ContentPart", payload: { type: "text", text: "I write more tests." } },
    },
  }),
  sent({ type: "StatusUpdate", payload: { context_usage: 0.0128, message_id: "msg_01", plan_mode: false } }),
  sent({
    type: "Notification",
    payload: {
      ...{
        id: "notice-1",
        category: "task",
        type: "task.done",
        severity: "info",
        created_at: 1_795_444_200.5,
      },
      ...{ source_kind: "background_task", source_id: "task-1", payload: { exit_code: 0 } },
      ...{ title: "The tests are done", body: "All 42 passed." },
    },
  }),
  sent({ type: "SteerInput", payload: { user_input: "Call it shop" } }),
  sent({ type: "PlanDisplay", payload: { content: "1. Write the tests", file_path: "plan.md" } }),
  sent({ type: "BtwBegin", payload: { id: "btw-1", question: "Which port?" } }),
  sent({ type: "BtwEnd", payload: { id: "btw-1", response: "5432", error: null } }),
  sent({ type: "StepInterrupted", payload: {} }),
  sent({ type: "StepBegin", payload: { n: 2 } }),
];
