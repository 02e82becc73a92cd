import type { DisplayBlockInput, Outcome } from "@askwire/protocol";
import { randomId } from "@askwire/protocol/internal";
import { type AgentSession, ApprovalRequest, QuestionRequest, type Turn } from "@askwire/server";
import { displayMarkdown } from "@askwire/server/internal";
import { askElicited } from "../elicitation/ask-person.js";
import { outcomeMeta } from "../elicitation/outcome-meta.js";
import { tellPerson } from "./notices.js";
import { approvalOptionsOf, type NamedOption, namedOptions } from "./permission-options.js";
import { readParams } from "./reading.js";
import { PermissionRequest } from "./shapes.js";
import type { Telling } from "./telling.js";
import {
  type AgentCall,
  acpToolName,
  callTitle,
  displayOf,
  isFilled,
  pathsOf,
  wireCall,
} from "./tool-call.js";

/** The surroundings of a permission. */
export interface PermissionPlace {
  readonly session: AgentSession;
  readonly telling: Telling;
  /** The turn that runs; undefined between turns. */
  readonly turn: Turn | undefined;
  /** Told of a call that a person, or a policy, allowed. */
  allowed(call: AgentCall): void;
  /** Told of the words with which a person rejected a call. ACP has no place for them. */
  rejected(title: string, words: string): void;
}

/** The parts of a permission that a person sees. */
interface Shown {
  readonly call: AgentCall;
  readonly description: string;
  readonly display: readonly DisplayBlockInput[];
  readonly named: readonly NamedOption[];
}

/** The choice of a person or a policy; undefined without one, which the outcome explains. */
interface Decision {
  readonly id: string | undefined;
  readonly words: string;
  readonly outcome: Outcome;
}

/**
 * Puts `session/request_permission` to the person, with the options of the agent under their names and ids. Without a
 * choice the reply is `cancelled`.
 */
export async function answerPermission(
  params: unknown,
  signal: AbortSignal,
  place: PermissionPlace,
): Promise<Record<string, unknown>> {
  const asked = readParams(PermissionRequest, params);
  const call = calledIn(asked, place.telling);
  const named = namedOptions(asked.options);
  if (await isBlocked(call, place.turn)) {
    return reply(named.find(({ option }) => option.kind === "reject_once")?.option.optionId, {});
  }
  if (named.length === 0) {
    tellPerson(place.session, {
      severity: "warning",
      title: `The agent asked for a permission without saying what can be answered: ${callTitle(call)}`,
      body: "It was told that the permission is cancelled.",
      type: "permission",
    });
    return reply(undefined, {});
  }
  const shown = { call, named, description: asked.title ?? callTitle(call), display: shownOf(asked, call) };
  const { id, words, outcome } = await decide(shown, signal, place.session);
  const chosen = named.find((option) => option.id === id);
  if (chosen?.option.kind.startsWith("allow") === true) place.allowed(call);
  else if (outcome.by === "human" && words.trim() !== "") place.rejected(shown.description, words);
  return reply(chosen?.option.optionId, outcomeMeta(outcome));
}

const reply = (optionId: string | undefined, meta: object) => ({
  outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
  ...meta,
});

/** The call that is asked about, which clients are told. Version 2 may name a command, or nothing, without a call. */
function calledIn({ toolCall, subject, title }: PermissionRequest, telling: Telling): AgentCall {
  const known = toolCall ?? subject?.toolCall;
  if (known !== undefined) return telling.askAbout(known);
  const command = subject?.command;
  const words = { title, ...(command !== undefined && { kind: "execute", rawInput: { command } }) };
  const id = subject?.toolCallId;
  return id == null
    ? { ...words, toolCallId: randomId(), content: [] }
    : telling.askAbout({ ...words, toolCallId: id });
}

/** A hook keeps a call from running by rejecting it: the agent runs its calls itself. */
async function isBlocked(call: AgentCall, turn: Turn | undefined): Promise<boolean> {
  if (turn === undefined || !turn.hooks.has("PreToolUse")) return false;
  return (await turn.hooks.run("PreToolUse", { toolCall: wireCall(call) })).action === "block";
}

/** The difference or command; else the text, the places and the arguments, so that nothing is allowed unseen. */
function shownOf({ description }: PermissionRequest, call: AgentCall): DisplayBlockInput[] {
  const blocks = displayOf(call);
  const texts = call.content.flatMap(({ content }) => (content?.text === undefined ? [] : [content.text]));
  const paths = blocks.length > 0 ? [] : pathsOf(call);
  const said = [...(description == null ? [] : [description]), ...texts, paths.join("\n")];
  const briefs = said.filter((text) => text !== "").map((text) => ({ type: "brief" as const, text }));
  if (blocks.length > 0 || !isFilled(call.rawInput)) return [...briefs, ...blocks];
  const command = JSON.stringify(call.rawInput, null, 2);
  return [...briefs, { type: "shell", language: "json", command }];
}

async function decide(shown: Shown, signal: AbortSignal, session: AgentSession): Promise<Decision> {
  const { call, description, display, named } = shown;
  const options = approvalOptionsOf(named);
  if (options === undefined) return decideByQuestion(shown, signal, session);
  const request = new ApprovalRequest({
    tool_call_id: call.toolCallId,
    sender: acpToolName(call),
    action: call.kind ?? acpToolName(call),
    description,
    display,
    options,
    relayed: true,
    // A change of mode, such as the end of planning, decides about all that follows.
    person_only: call.kind === "switch_mode",
  });
  const { outcome, answer } = await askElicited(session, request, signal);
  const feedback = answer?.feedback ?? outcome.note ?? "";
  // Among several options that reject, the label of the chosen one arrives as feedback: these are not the person's words.
  const isLabel =
    request.options?.some(({ id, label }) => id === answer?.option && label === feedback) === true;
  return { id: answer?.option, words: isLabel ? "" : feedback, outcome };
}

/** Asks by a closed question where an approval cannot have the options. */
async function decideByQuestion(
  { call, description, display, named }: Shown,
  signal: AbortSignal,
  session: AgentSession,
): Promise<Decision> {
  const request = new QuestionRequest({
    tool_call_id: call.toolCallId,
    questions: [
      {
        question: `${acpToolName(call)}: ${description}`,
        header: "Approval",
        body: displayMarkdown(display),
        options: named.map(({ id, label }) => ({ id, label })),
        own_text: false,
      },
    ],
  });
  const { outcome, answer } = await askElicited(session, request, signal);
  return { id: answer?.items[0]?.selected[0], words: outcome.note ?? "", outcome };
}
