import type { Turn } from "../src/index.js";

/** Tells each event that a client of an older version is kept from. */
export async function tellVersionedEvents(turn: Turn): Promise<void> {
  turn.emit("SteerInput", { user_input: "x" });
  turn.emit("PlanDisplay", { content: "x", file_path: "x" });
  turn.emit("HookTriggered", { event: "Stop", target: "", hook_count: 1 });
  turn.emit("HookResolved", { event: "Stop", target: "", action: "allow", reason: "", duration_ms: 1 });
  turn.emit("BtwBegin", { id: "x", question: "x" });
  turn.emit("BtwEnd", { id: "x" });
  turn.emit("StepRetry", { n: 1, next_attempt: 2, max_attempts: 3, wait_s: 1, error_type: "x" });
  turn.emit("MCPLoadingBegin", {});
  turn.emit("MCPLoadingEnd", {});
  const source = { source_kind: "x", source_id: "x" };
  const text = { title: "x", body: "x", severity: "x" };
  turn.emit("Notification", {
    id: "x",
    category: "x",
    type: "x",
    ...source,
    ...text,
    created_at: 1,
    payload: {},
  });
}
