import { isDeepStrictEqual } from "node:util";
import type { ClaudeDecision, ClaudePermissionUpdate } from "@askwire/adapters/claude";

/** Leaves out an input that stays as it was: Claude Code tells its model that the person changed it. */
export function withoutUnchanged<Update extends ClaudePermissionUpdate>(
  decision: ClaudeDecision<Update>,
  input: Readonly<Record<string, unknown>>,
): ClaudeDecision<Update> {
  if (decision.behavior === "deny" || !isDeepStrictEqual(decision.updatedInput, input)) return decision;
  const { updatedInput: _unchanged, ...rest } = decision;
  return rest;
}
