import type { HookEvent, ToolCall, ToolReturnValue, UserInput } from "@askwire/protocol";

/** The decision of a hook. Only `block` has an effect. */
export type HookVerdict = { action: "allow" } | { action: "block"; reason: string };

/** The subject of each hook event, sent to a client's hook in the words of Kimi's hooks (P-HOK-5). */
export interface HookDetails {
  PreToolUse: { toolCall: ToolCall };
  PostToolUse: { toolCall: ToolCall; value: ToolReturnValue };
  PostToolUseFailure: { toolCall: ToolCall; value: ToolReturnValue };
  UserPromptSubmit: { prompt: UserInput };
  Stop: { stopHookActive: boolean };
  /** `told` is the error whose message clients are told. An exception's message stays in the log (P-ERR-3). */
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
  /** True if a client subscribed that event. Without a subscription nothing has to be awaited. */
  has(event: HookEvent): boolean;
  /** Runs every matching hook, and resolves with their joint decision. Never rejects (P-HOK-2). */
  run<E extends HookEvent>(event: E, details: HookDetails[E]): Promise<HookVerdict>;
}
