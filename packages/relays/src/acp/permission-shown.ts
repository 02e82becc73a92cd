import type { DisplayBlockInput, QuestionInput } from "@askwire/protocol";
import { randomId } from "@askwire/protocol/internal";
import { displayMarkdown } from "@askwire/server/internal";
import { approvalOptionsOf, type NamedOption, namedOptions } from "./permission-options.js";
import type { PermissionRequest, ToolCallNews } from "./shapes.js";
import { type AgentCall, acpToolName, callTitle, displayOf, isFilled, pathsOf } from "./tool-call.js";

/** The parts of a permission that a person sees. */
export interface ShownPermission {
  readonly call: AgentCall;
  readonly description: string;
  readonly display: readonly DisplayBlockInput[];
  readonly named: readonly NamedOption[];
}

/**
 * A permission as a person sees it.
 *
 * @param call the call that is asked about, with all that was told of it.
 * @throws AcpError for two options of one id.
 */
export function shownPermission(asked: PermissionRequest, call: AgentCall): ShownPermission {
  return {
    call,
    description: asked.title ?? callTitle(call),
    display: blocksOf(asked, call),
    named: namedOptions(asked.options),
  };
}

/** The call that a permission names. Version 2 may name a command, or nothing, without a call: then it has no id. */
export function newsIn({ toolCall, subject, title }: PermissionRequest): Partial<ToolCallNews> {
  const known = toolCall ?? subject?.toolCall;
  if (known !== undefined) return known;
  const command = subject?.command;
  const id = subject?.toolCallId;
  return {
    title,
    ...(command !== undefined && { kind: "execute", rawInput: { command } }),
    ...(id != null && { toolCallId: id }),
  };
}

/**
 * The call of a permission.
 *
 * @param known adds what was told of a call with an id before.
 */
export function callOf(
  { toolCallId, ...news }: Partial<ToolCallNews>,
  known: (news: ToolCallNews) => AgentCall,
): AgentCall {
  return toolCallId === undefined
    ? { ...news, toolCallId: randomId(), content: [] }
    : known({ ...news, toolCallId });
}

/** The words, the blocks and the ways to answer; without `options` where an approval cannot have those of the agent. */
export function permissionApproval({ call, description, display, named }: ShownPermission) {
  return {
    sender: acpToolName(call),
    action: call.kind ?? acpToolName(call),
    description,
    display,
    options: approvalOptionsOf(named),
    // A change of mode, such as the end of planning, decides about all that follows.
    person_only: call.kind === "switch_mode",
  };
}

/** A closed question, where an approval cannot have the options. */
export function permissionQuestion({ call, description, display, named }: ShownPermission): QuestionInput {
  return {
    question: `${acpToolName(call)}: ${description}`,
    header: "Approval",
    body: displayMarkdown(display),
    options: named.map(({ id, label }) => ({ id, label })),
    own_text: false,
  };
}

/** The difference or command; else the text, the places and the arguments, so that nothing is allowed unseen. */
function blocksOf({ description }: PermissionRequest, call: AgentCall): DisplayBlockInput[] {
  const blocks = displayOf(call);
  const texts = call.content.flatMap(({ content }) => (content?.text === undefined ? [] : [content.text]));
  const paths = blocks.length > 0 ? [] : pathsOf(call);
  const said = [...(description == null ? [] : [description]), ...texts, paths.join("\n")];
  const briefs = said.filter((text) => text !== "").map((text) => ({ type: "brief" as const, text }));
  if (blocks.length > 0 || !isFilled(call.rawInput)) return [...briefs, ...blocks];
  const command = JSON.stringify(call.rawInput, null, 2);
  return [...briefs, { type: "shell", language: "json", command }];
}
