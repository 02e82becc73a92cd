import * as z from "zod/mini";
import { CommandFailure } from "../input/failure.js";

const aCall = {
  session_id: z.string(),
  cwd: z.optional(z.string()),
  /** The sub-agent that calls; absent in the conversation itself. */
  agent_id: z.optional(z.string()),
  tool_name: z.string(),
  tool_input: z.record(z.string(), z.unknown()),
};

const events = z.discriminatedUnion("hook_event_name", [
  z.looseObject({
    hook_event_name: z.literal("PermissionRequest"),
    ...aCall,
    transcript_path: z.optional(z.string()),
    permission_suggestions: z.optional(z.array(z.looseObject({ type: z.string() }))),
  }),
  z.looseObject({ hook_event_name: z.literal("PreToolUse"), ...aCall, tool_use_id: z.string() }),
  z.looseObject({
    hook_event_name: z.literal("Elicitation"),
    session_id: z.string(),
    cwd: z.optional(z.string()),
    mcp_server_name: z.string(),
    message: z.string(),
    mode: z.optional(z.enum(["form", "url"])),
    requested_schema: z.optional(z.looseObject({})),
    url: z.optional(z.string()),
  }),
]);

/** An event that Claude Code tells its hooks, as far as it is read. */
export type ClaudeEvent = z.infer<typeof events>;
/** A call of a tool that waits for a permission. It has no id. */
export type ClaudePermission = Extract<ClaudeEvent, { hook_event_name: "PermissionRequest" }>;

/** The names of the events that are answered. */
export const eventNames = ["PermissionRequest", "PreToolUse", "Elicitation"] as const;

/**
 * Reads the event of a hook.
 *
 * @throws Failure for a text that is not one of the events, with the field that is wrong.
 */
export function readHookEvent(text: string): ClaudeEvent {
  const event = parsed(text);
  const name = (event as { hook_event_name?: unknown } | null)?.hook_event_name;
  if (!eventNames.includes(name as never)) {
    const got = typeof name === "string" ? JSON.stringify(name.slice(0, 100)) : "none";
    throw new CommandFailure(`hook_event_name: expected ${eventNames.join(", ")}, got ${got}`);
  }
  const read = events.safeParse(event);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const wanted =
    issue?.code === "invalid_type"
      ? issue.expected
      : issue?.code === "invalid_value"
        ? issue.values.join(", ")
        : "another value";
  throw new CommandFailure(`${issue?.path.join(".")}: expected ${wanted}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure(
      'expected the JSON of an event on standard input: Claude Code starts this command, see "askwire hook claude --help"',
    );
  }
}
