import type { HookEvent, ToolCall, ToolReturnValue, UserInput } from "@askwire/protocol";

/** What a hook came to: only `block` has an effect. */
export type HookVerdict = { action: "allow" } | { action: "block"; reason: string };

/** What each hook event is about; a client's hook is sent it in the words of Kimi's hooks (P-HOK-5). */
export interface HookDetails {
  PreToolUse: { toolCall: ToolCall };
  PostToolUse: { toolCall: ToolCall; value: ToolReturnValue };
  PostToolUseFailure: { toolCall: ToolCall; value: ToolReturnValue };
  UserPromptSubmit: { prompt: UserInput };
  Stop: { stopHookActive: boolean };
  /** `told` is the error whose message clients are told: an exception's stays in the log (P-ERR-3). */
  StopFailure: { error: unknown; told: unknown };
  SessionStart: { source: "startup" | "resume" };
  SessionEnd: { reason: string };
  SubagentStart: { agentName: string; prompt: UserInput };
  SubagentStop: { agentName: string; response: string };
  PreCompact: { trigger: "manual" | "auto"; tokenCount: number };
  PostCompact: { trigger: "manual" | "auto"; estimatedTokenCount: number };
  Notification: { sink: string; notificationType: string; title: string; body: string; severity: string };
}

/** The hooks of a session, called within one turn. */
export interface TurnHooks {
  /** Whether any client subscribed that event: without one there is nothing to wait for. */
  has(event: HookEvent): boolean;
  /** Runs every hook that matches, and resolves with what they came to together. Never rejects (P-HOK-2). */
  run<E extends HookEvent>(event: E, details: HookDetails[E]): Promise<HookVerdict>;
}
