import { randomUUID } from "node:crypto";
import {
  type AskingSession,
  type ClaudeDecision,
  type ClaudePermissionUpdate,
  claudeHandlers,
} from "@askwire/adapters/claude";
import { defined } from "@askwire/protocol/internal";
import type { ClaudeEvent } from "./event.js";
import { withoutUnchanged } from "./unchanged.js";

/** The settings of a hook. */
export interface HookSettings {
  /** Withdraws what is open when aborted. */
  readonly signal: AbortSignal;
  /** True to leave a call open and end where nobody has answered yet: Claude Code comes back for it. */
  readonly defer: boolean;
}

/** The reply of a hook, as Claude Code reads it. */
export interface ClaudeReply {
  readonly hookSpecificOutput: { readonly hookEventName: string } & Readonly<Record<string, unknown>>;
}

/**
 * Puts an event to people. Resolves with their decision; undefined without one, which leaves the event to Claude Code.
 *
 * @throws LocalError and WireError as `session.ask` does.
 */
export async function answerHook(
  event: ClaudeEvent,
  session: AskingSession,
  settings: HookSettings,
): Promise<ClaudeReply | undefined> {
  const { hook_event_name: hookEventName } = event;
  try {
    const decided = await decide(event, session, settings);
    return decided && { hookSpecificOutput: { hookEventName, ...decided } };
  } catch (error) {
    if (error instanceof StillOpen)
      return { hookSpecificOutput: { hookEventName, permissionDecision: "defer" } };
    if (error instanceof NobodysWord) return undefined;
    throw error;
  }
}

async function decide(event: ClaudeEvent, session: AskingSession, { signal, defer }: HookSettings) {
  const folder = event.cwd;
  const handlers = (later: boolean) =>
    claudeHandlers(decidedByPeople(session, later), {
      run: event.session_id,
      ...defined({ folder }),
    });
  if (event.hook_event_name === "Elicitation") {
    const { mcp_server_name: serverName, message, mode, requested_schema: requestedSchema, url } = event;
    const asked = { serverName, message, ...defined({ mode, requestedSchema, url }) };
    const details = { signal, requestId: randomUUID() };
    const reply = await handlers(false).onElicitation(asked, details);
    return reply.action === "cancel" ? undefined : { ...reply };
  }
  const { tool_name: name, tool_input: input, agent_id: agentID } = event;
  const who = defined({ agentID });
  if (event.hook_event_name === "PermissionRequest") {
    // The event names no call, and two equal calls are two questions.
    const details = {
      signal,
      toolUseID: randomUUID(),
      suggestions: event.permission_suggestions ?? [],
      ...who,
    };
    return { decision: taken(event, await handlers(false).canUseTool(name, input, details)) };
  }
  const toolUseID = event.tool_use_id;
  return beforeUse(
    taken(event, await handlers(defer).canUseTool(name, input, { signal, toolUseID, ...who })),
  );
}

/** A decision as Claude Code takes it. It passes over a yes to a plan which has no input beside it. */
function taken(
  { tool_name: name, tool_input: input }: Extract<ClaudeEvent, { tool_name: string }>,
  decision: ClaudeDecision<ClaudePermissionUpdate>,
) {
  return name === "ExitPlanMode" ? decision : withoutUnchanged(decision, input);
}

const beforeUse = (decision: ClaudeDecision<ClaudePermissionUpdate>) =>
  decision.behavior === "allow"
    ? { permissionDecision: "allow", ...(decision.updatedInput && { updatedInput: decision.updatedInput }) }
    : { permissionDecision: "deny", permissionDecisionReason: decision.message };

/** An ask that nobody decided. */
class NobodysWord extends Error {}
/** An ask that is left open for later. */
class StillOpen extends Error {}

/** A session whose asks end by a person's word alone. A closed question is one; a closed approval decides nothing. */
function decidedByPeople(session: AskingSession, later: boolean): AskingSession {
  const ask = async (init: Parameters<AskingSession["ask"]>[0]) => {
    const asked = await session.ask({
      ...init,
      ...(later ? { wait: false, onLost: "keep" } : { onLost: "withdraw" }),
    });
    const { outcome } = asked;
    if (outcome === undefined) throw new StillOpen();
    const isWord =
      outcome.status === "answered" || (outcome.status === "declined" && init.approval === undefined);
    if (!isWord) throw new NobodysWord();
    return asked;
  };
  return { ask: ask as AskingSession["ask"] };
}
