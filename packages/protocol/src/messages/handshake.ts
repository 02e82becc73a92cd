import * as z from "zod/mini";
import { mapOf } from "./fields.js";
import { ExternalTool } from "./tool.js";

/** The hook events that a client may subscribe to. Other names are dropped without an error. */
export const hookEvents = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "Stop",
  "StopFailure",
  "SessionStart",
  "SessionEnd",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "Notification",
] as const;
/** One of {@link hookEvents}. */
export type HookEvent = (typeof hookEvents)[number];

/** Where a client wants a word in what the agent does. `matcher` is a regular expression; empty: always. */
export const HookSubscription = z.looseObject({
  id: z.string(),
  event: z.string(),
  matcher: z._default(z.string(), ""),
  /** Seconds. */
  timeout: z._default(z.int(), 30),
  /** What a hook that fails, or is too late, comes to; Kimi's have no such member (P-HOK-4). Default: `allow`. */
  on_failure: z.optional(z.literal(["allow", "block"])),
});

/** What the client can show. A key that is absent is false (P-CAP-1). */
export const ClientCapabilities = z.looseObject({
  supports_question: z._default(z.boolean(), false),
  supports_plan_mode: z._default(z.boolean(), false),
});
export type ClientCapabilities = z.output<typeof ClientCapabilities>;

/**
 * What a client says of itself in `initialize`, and what it offers (P-INI-4, P-INI-5). What may be absent may also be
 * null; `protocol_version` is dotted numbers, such as `"1.10"` (P-VER-1).
 */
export const InitializeParams = z.looseObject({
  protocol_version: z.string(),
  client: z.optional(
    z.nullable(z.looseObject({ name: z.string(), version: z.optional(z.nullable(z.string())) })),
  ),
  external_tools: z.optional(z.nullable(z.array(ExternalTool))),
  hooks: z.optional(z.nullable(z.array(HookSubscription))),
  capabilities: z.optional(z.nullable(ClientCapabilities)),
});
export type InitializeParams = z.output<typeof InitializeParams>;

/** A command that a prompt may begin with; its names are without the slash. */
export const SlashCommand = z.looseObject({
  name: z.string(),
  description: z.string(),
  aliases: z.array(z.string()),
});

/**
 * What a server says of itself in reply (P-INI-2): its commands, what became of the tools that were offered (absent if
 * none were), and under `hooks.configured` how many subscriptions of each event are in force.
 */
export const InitializeResult = z.looseObject({
  protocol_version: z.string(),
  server: z.looseObject({ name: z.string(), version: z.string() }),
  slash_commands: z.array(SlashCommand),
  external_tools: z.optional(
    z.looseObject({
      accepted: z.array(z.string()),
      rejected: z.array(z.looseObject({ name: z.string(), reason: z.string() })),
    }),
  ),
  hooks: z.optional(
    z.looseObject({
      supported_events: z.array(z.string()),
      configured: mapOf(z.int()),
    }),
  ),
  capabilities: z.optional(z.looseObject({ supports_question: z._default(z.boolean(), false) })),
});
export type InitializeResult = z.output<typeof InitializeResult>;
