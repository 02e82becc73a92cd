// The tool for --permission-prompt-tool of Claude Code, which calls it before one of its own tools.
import { randomUUID } from "node:crypto";
import { type AskingSession, claudeHandlers } from "@askwire/adapters/claude";
import * as z from "zod/mini";
import { withoutUnchanged } from "../hook/unchanged.js";
import { rulesFor } from "./permission-rules.js";
import { annotations, text } from "./tools.js";

/** The tool as a host lists it. */
export const permissionTool = {
  name: "approve",
  title: "Decide on a call of a tool",
  description:
    "For --permission-prompt-tool of Claude Code, which calls it itself: the person decides on one call of a tool. To have an action of your own allowed, call ask_user_approval instead.",
  inputSchema: {
    type: "object",
    properties: {
      tool_name: text("The tool that is called."),
      input: { type: "object", description: "Its arguments." },
      tool_use_id: text("The id of the call."),
    },
    required: ["tool_name", "input"],
  },
  annotations,
};

/** The result of the tool: one text. Claude Code takes none that has a structure beside it. */
export interface PermissionResult {
  [key: string]: unknown;
  readonly content: { type: "text"; text: string }[];
}

/** Puts a call of Claude Code's to the person. */
export type DecidePermission = (
  given: Readonly<Record<string, unknown>>,
  asker: { readonly session: AskingSession; readonly folder: string; readonly signal: AbortSignal },
) => Promise<PermissionResult>;

const Given = z.object({
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z._default(z.string(), () => randomUUID()),
});

/** Decisions of the person's, and of nobody else: every other end denies the call, with the reason for the model. */
export function permissionDecisions(run: string): DecidePermission {
  return async (given, { session, folder, signal }) => {
    const read = Given.safeParse(given);
    if (!read.success) return denied("expected tool_name, input and tool_use_id, as Claude Code sends them");
    const { tool_name: name, input, tool_use_id: toolUseID } = read.data;
    const { canUseTool } = claudeHandlers(taken(session), { run, folder });
    try {
      const suggestions = rulesFor(name, input, folder);
      const decision = await canUseTool(name, input, { signal, toolUseID, suggestions });
      return told(withoutUnchanged(decision, input));
    } catch (error) {
      return denied((error as Error).message);
    }
  };
}

/** A session whose asks are taken back with the process: nobody else reads their outcome. */
const taken = (session: AskingSession): AskingSession => ({
  ask: ((init: Parameters<AskingSession["ask"]>[0]) =>
    session.ask({ ...init, onLost: "withdraw" })) as AskingSession["ask"],
});

const told = (decision: object): PermissionResult => ({
  content: [{ type: "text", text: JSON.stringify(decision) }],
});

const denied = (why: string) =>
  told({
    behavior: "deny",
    message: `Nobody could be asked to allow this call, so it was not made: ${why}. That is no decision of the user's. Do not get the same effect in another way; say in your text what you need.`,
  });
