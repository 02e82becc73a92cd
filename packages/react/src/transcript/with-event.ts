import { innerEvent } from "@askwire/client";
import type { CallOutput, Unrecognized, WireEvent } from "@askwire/protocol";
import { added, bounded, changed, saidByInput, withoutGrowth } from "./change.js";
import type { Entry, EntryOf } from "./entries.js";
import { withApproval, withSettled } from "./with-request.js";

/** The most entries of the sub-agents of one call: older ones are left out. */
const MOST_INNER = 200;

type Entries = readonly Entry[];

/**
 * The entries after an event. Events that show nothing leave the list unchanged.
 *
 * @param isOwn true for a prompt of this page.
 */
export function withEvent(entries: Entries, event: WireEvent | Unrecognized, isOwn = false): Entries {
  switch (event.type) {
    case "TurnBegin": {
      const { user_input, by } = event.payload;
      return added(entries, {
        ...{ kind: "prompt", said: saidByInput(user_input), isOwn },
        ...(by !== undefined && { by }),
      });
    }
    case "SteerInput":
      return added(entries, { kind: "steer", said: saidByInput(event.payload.user_input) });
    case "StepBegin":
      return withoutGrowth(entries);
    case "ContentPart": {
      const { payload } = event;
      if (payload.type === "text") return grown(entries, "text", payload.text);
      if (payload.type === "think") return grown(entries, "thought", payload.think);
      return added(entries, { kind: "part", type: payload.type });
    }
    case "ToolCall": {
      const { id, function: called } = event.payload;
      const args = bounded(called.arguments ?? "");
      return added(entries, { kind: "call", id, name: called.name, args, inner: [] });
    }
    case "ToolCallPart": {
      const part = event.payload.arguments_part ?? "";
      return changed(entries, isCall, (call) => ({ ...call, args: bounded(call.args + part) }));
    }
    case "ToolResult": {
      const { tool_call_id, return_value } = event.payload;
      const { is_error: isError, output, display } = return_value;
      const result = { isError, output: saidByInput(output), display };
      return changed(entries, isCalled(tool_call_id), ({ printed: _whole, ...call }) => ({
        ...call,
        result,
      }));
    }
    case "SubagentEvent": {
      const inner = innerEvent(event.payload);
      if (inner === undefined) return entries;
      const { parent_tool_call_id, subagent_type } = event.payload;
      return changed(entries, isCalled(parent_tool_call_id), (call) => ({
        ...call,
        ...(subagent_type !== null && { agent: subagent_type }),
        inner: withEvent(call.inner, inner).slice(-MOST_INNER),
      }));
    }
    case "PlanDisplay": {
      const { content, file_path } = event.payload;
      return added(entries, { kind: "plan", text: bounded(content), path: file_path });
    }
    case "ApprovalResponse":
      return withApproval(entries, event.payload);
    case "InteractionSettled":
      return withSettled(entries, event.payload);
    case "HookResolved":
      return event.payload.action === "block" ? added(entries, { kind: "note", event }) : entries;
    case "TurnEnd": {
      const { status = "finished" } = event.payload;
      return status === "finished" ? withoutGrowth(entries) : added(entries, { kind: "note", event });
    }
    case "StepInterrupted":
    case "StepRetry":
    case "CompactionBegin":
    case "CompactionEnd":
    case "Notification":
    case "DoNotAsk":
    case "PolicyDecided":
      return added(entries, { kind: "note", event });
    default:
      return entries;
  }
}

/** The entries with what a running call has printed. A call that has its result keeps no more. */
export const withPrinted = (entries: Entries, { tool_call_id, text, lines }: CallOutput): Entries =>
  changed(entries, isCalled(tool_call_id), (call) =>
    call.result === undefined ? { ...call, printed: { text, lines } } : call,
  );

/** The entries with the words added to the last text of the kind, or as a new one. */
function grown(entries: Entries, kind: "text" | "thought", more: string): Entries {
  const last = entries.at(-1);
  if (last?.kind === kind && last.isOpen === true) {
    return entries.with(-1, { ...last, text: bounded(last.text + more) });
  }
  return more === "" ? entries : added(entries, { kind, text: bounded(more), isOpen: true });
}

const isCall = (entry: Entry): entry is EntryOf<"call"> => entry.kind === "call";

/** True for a call with the id. The last one counts, since models use an id again in later turns. */
const isCalled =
  (id: string | null) =>
  (entry: Entry): entry is EntryOf<"call"> =>
    isCall(entry) && entry.id === id;
