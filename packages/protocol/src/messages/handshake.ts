import * as z from "../zod.js";
import { mapOf } from "./fields.js";
import type { Principal } from "./principal.js";
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
/** A value of {@link hookEvents}. */
export type HookEvent = (typeof hookEvents)[number];

/** A point at which a client wants a say. `matcher` is a regular expression; empty matches always. */
export const HookSubscription = z.looseObject({
  id: z.string(),
  event: z.string(),
  matcher: z._default(z.string(), ""),
  /** Seconds. */
  timeout: z._default(z.int(), 30),
  /** The decision if a hook fails or is too late; Kimi's hooks have no such member (P-HOK-4). Default: `allow`. */
  on_failure: z.optional(z.literal(["allow", "block"])),
});

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The extended profile, in both capability maps of `initialize` (P-XNG-1, P-XNG-2). A client lists the features that it
 * can show, a server those that it may use. An absent key is false.
 */
export const AskwireCapabilities = z.looseObject({
  revision: z.int().check(z.minimum(1)),
  /** A UUID that a client makes once and keeps over reconnects (P-XAT-1). */
  client_id: z.optional(z.string().check(z.refine((id) => uuid.test(id), "a UUID"))),
  /** True if options are shown with their `preview`. */
  previews: z._default(z.boolean(), false),
  /** True if a person can add words to a choice. */
  notes: z._default(z.boolean(), false),
  /** True if a person can answer with images too. */
  attachments: z._default(z.boolean(), false),
  /** True if a person can leave a question of several unanswered. */
  skip: z._default(z.boolean(), false),
  /** True if deadlines are shown, with the answer that counts when they pass. */
  deadline: z._default(z.boolean(), false),
  /** True if fields are shown by their type, and the fewest and the most choices. */
  fields: z._default(z.boolean(), false),
  /** True if approvals are shown with their own options, and answered by `option`. */
  approval_options: z._default(z.boolean(), false),
  /** True if a person can change the text of an approval. */
  edits: z._default(z.boolean(), false),
  /** True if an approval is shown with the number of people whom it needs, and who has approved (P-XQU-1). */
  quorum: z.optional(z.boolean()),
  /** True if who answers is told, and shown: a client says when its person begins, whatever the deadline (P-XST-5). */
  presence: z.optional(z.boolean()),
  /** True if both sides say that they live, and how many messages have come (P-XAT-11). */
  alive: z.optional(z.boolean()),
  /** True for a client that passes requests on, and states what the person who answered was not shown (P-XAN-10). */
  relay: z.optional(z.boolean()),
  /** True for a server whose sessions can be watched (P-XSE-5). */
  watch: z.optional(z.boolean()),
  /** True for a server that lists what waits for a person in all its sessions (P-XRQ-1). */
  inbox: z.optional(z.boolean()),
  /** True for a server where a person can take a request (P-XCM-1). */
  claims: z.optional(z.boolean()),
  /** True for a server where a request can be for some people alone (P-XTO-1). */
  to: z.optional(z.boolean()),
  /** True for a server that lists the kept sessions which it can open (P-XSE-7). */
  kept_sessions: z.optional(z.boolean()),
  /** True for a server that tells this client what was decided (P-XPD-1). */
  decisions: z.optional(z.boolean()),
  /** True for a server where this client may make a code for a device (P-DEV-7). */
  pairing: z.optional(z.boolean()),
  /** True for a client that is told the conversation so far when it joins, and a server that sends it (P-XHI-1). */
  history: z.optional(z.boolean()),
  /** True for a client that is told what running calls print, and a server that tells it (P-XCO-1). */
  call_output: z.optional(z.boolean()),
  /** True for a server that a person can tell not to ask (P-XDN-1). */
  do_not_ask: z.optional(z.boolean()),
  /** Of a server: true if connected programs may ask by `ask` (P-XAK-1). */
  ask: z.optional(z.boolean()),
  /** Of a server: true if it keeps unsent work for a person's other devices (P-XDR-1). */
  drafts: z.optional(z.boolean()),
});
export type AskwireCapabilities = z.output<typeof AskwireCapabilities>;

/** The revision of the extended profile that this package speaks (P-XNG-1). */
export const EXTENDED_REVISION = 3;

/** All features of the profile that a client may show, and that a server then uses (P-XNG-2). */
export const everyFeature: AskwireCapabilities = {
  revision: EXTENDED_REVISION,
  previews: true,
  notes: true,
  attachments: true,
  skip: true,
  deadline: true,
  fields: true,
  approval_options: true,
  edits: true,
  quorum: true,
};

/** The extended profile as the other side offers it; undefined for none, and for a revision that is gone (P-XNG-1). */
export const extendedOffer = (
  askwire: AskwireCapabilities | null | undefined,
): AskwireCapabilities | undefined =>
  askwire != null && askwire.revision >= EXTENDED_REVISION ? askwire : undefined;

/** Abilities of a client. A key that is absent is false (P-CAP-1). */
export const ClientCapabilities = z.looseObject({
  supports_question: z._default(z.boolean(), false),
  supports_plan_mode: z._default(z.boolean(), false),
  askwire: z.optional(z.nullable(AskwireCapabilities)),
});
export type ClientCapabilities = z.output<typeof ClientCapabilities>;

/**
 * A client's description of itself in `initialize`, with its offers (P-INI-4, P-INI-5). Optional members may also be
 * null. `protocol_version` is dotted numbers, such as `"1.10"` (P-VER-1).
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
        /** True: a session that is kept and that nobody has open is opened (P-XAT-10). */
        open: z.optional(z.nullable(z.boolean())),
      }),
    ),
  ),
  /** True for a client that joins no session, to see what there is in all of them (P-XLB-1). */
  lobby: z.optional(z.nullable(z.boolean())),
});
export type InitializeParams = z.output<typeof InitializeParams>;

/** The activity of a session: idle, or a turn, which may wait for a person (P-XST-2). */
export const sessionStates = ["idle", "running", "waiting"] as const;
/** A value of {@link sessionStates}. */
export type SessionState = (typeof sessionStates)[number];

/** The state of a session that a client finds when it attaches (P-XAT-4 to P-XAT-6). */
export const AttachedSession = z.looseObject({
  id: z.string(),
  /** A UUID, new with every server process: sequence numbers of two streams say nothing of each other. */
  stream: z.string(),
  /** The number of the last event so far. */
  seq: z.int(),
  state: z.literal(sessionStates),
  /** The id under which others are told of this connection: as `connection` in events and outcomes (P-XST-5). */
  connection: z.optional(z.string()),
  turn_id: z.optional(z.string()),
  plan_mode: z.boolean(),
  /** True if a person does not want to be asked questions (P-XDN-1). */
  do_not_ask: z.optional(z.boolean()),
  /** The role of this connection, such as `answer` (P-XRL-4). Absent: it may do everything. */
  role: z.optional(z.string()),
  /** The permissions of a connection with a role (P-XRL-2). Absent: it may do everything. */
  permissions: z.optional(z.array(z.string())),
  /** True if the conversation so far follows, up to the event HistoryEnd (P-XHI-1). */
  history: z.optional(z.boolean()),
  /** True if a turn and its open requests outlive the server's process: a prompt is sent again (P-XCL-7). */
  resumes: z.optional(z.boolean()),
  /** The ids of open requests, oldest first. */
  pending: z.array(z.string()),
  /** True if the missed events are not sent: the client drops its state and calls `replay`. */
  reset: z.boolean(),
});
export type AttachedSession = z.output<typeof AttachedSession> & {
  /** The person that the server takes this connection for (P-WHO-3). Passed on unread: a client needs no schema of it. */
  readonly principal?: Principal | undefined;
};

/** A command that may begin a prompt. Names are without the slash. */
export const SlashCommand = z.looseObject({
  name: z.string(),
  description: z.string(),
  aliases: z.array(z.string()),
});

/**
 * A server's description of itself in reply to `initialize` (P-INI-2): its commands and the fate of offered tools. The
 * fate of tools is absent if none were offered. `hooks.configured` counts the active subscriptions of each event.
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
  /** `next_prompt` where tools and hooks came in the middle of a turn, and reach the agent after it (P-EXT-9). */
  offers_from: z.optional(z.string()),
  /** The session of this client; only in the extended profile. */
  session: z.optional(AttachedSession),
  /** In the place of `session`, for a client that joined none (P-XLB-1). Role and permissions are as there. */
  lobby: z.optional(
    z.looseObject({ role: z.optional(z.string()), permissions: z.optional(z.array(z.string())) }),
  ),
});
export type InitializeResult = z.output<typeof InitializeResult>;
