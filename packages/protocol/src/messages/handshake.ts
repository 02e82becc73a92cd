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

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The extended profile, in both capability maps of `initialize`: what this client can show, or what this server may
 * use (P-XNG-1, P-XNG-2). A key that is absent is false.
 */
export const AskwireCapabilities = z.looseObject({
  revision: z.int().check(z.minimum(1)),
  /** A UUID that a client makes once and keeps over reconnects (P-XAT-1). */
  client_id: z.optional(z.string().check(z.refine((id) => uuid.test(id), "a UUID"))),
  /** Whether options are shown with their `preview`. */
  previews: z._default(z.boolean(), false),
  /** Whether a person can say something beside a choice. */
  notes: z._default(z.boolean(), false),
  /** Whether a person can answer with images too. */
  attachments: z._default(z.boolean(), false),
  /** Whether a person can leave one question of several unanswered. */
  skip: z._default(z.boolean(), false),
  /** Whether deadlines are shown, with what counts when they pass. */
  deadline: z._default(z.boolean(), false),
});
export type AskwireCapabilities = z.output<typeof AskwireCapabilities>;

/** What the client can show. A key that is absent is false (P-CAP-1). */
export const ClientCapabilities = z.looseObject({
  supports_question: z._default(z.boolean(), false),
  supports_plan_mode: z._default(z.boolean(), false),
  askwire: z.optional(z.nullable(AskwireCapabilities)),
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
  /** The session to attach to, and where a client left off in it (P-XAT-2). */
  session: z.optional(
    z.nullable(
      z.looseObject({
        id: z.string(),
        stream: z.optional(z.nullable(z.string())),
        after_seq: z.optional(z.nullable(z.int().check(z.minimum(0)))),
      }),
    ),
  ),
});
export type InitializeParams = z.output<typeof InitializeParams>;

/** What a session is doing: nothing, or a turn, which may wait for a person (P-XST-2). */
export const sessionStates = ["idle", "running", "waiting"] as const;
/** One of {@link sessionStates}. */
export type SessionState = (typeof sessionStates)[number];

/** What a client finds when it attaches (P-XAT-4 to P-XAT-6). */
export const AttachedSession = z.looseObject({
  id: z.string(),
  /** A UUID, new with every server process: sequence numbers of two streams say nothing of each other. */
  stream: z.string(),
  /** The number of the last event so far. */
  seq: z.int(),
  state: z.literal(sessionStates),
  turn_id: z.optional(z.string()),
  plan_mode: z.boolean(),
  /** The ids of what is open, oldest first. */
  pending: z.array(z.string()),
  /** Whether what the client missed is not sent: it drops what it has and calls `replay`. */
  reset: z.boolean(),
});
export type AttachedSession = z.output<typeof AttachedSession>;

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
  capabilities: z.optional(
    z.looseObject({
      supports_question: z._default(z.boolean(), false),
      askwire: z.optional(z.nullable(AskwireCapabilities)),
    }),
  ),
  /** Where this client is attached; only in the extended profile. */
  session: z.optional(AttachedSession),
});
export type InitializeResult = z.output<typeof InitializeResult>;
