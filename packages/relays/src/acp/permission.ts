import type { Outcome } from "@askwire/protocol";
import { type AgentSession, ApprovalRequest, type Turn } from "@askwire/server";
import { askElicited, askIn } from "../elicitation/ask-person.js";
import { outcomeMeta } from "../elicitation/outcome-meta.js";
import { askedQuestions } from "./asked-questions.js";
import { tellPerson } from "./notices.js";
import { permissionReply } from "./permission-reply.js";
import {
  callOf,
  newsIn,
  permissionApproval,
  permissionQuestion,
  type ShownPermission,
  shownPermission,
} from "./permission-shown.js";
import { readParams } from "./reading.js";
import { PermissionRequest } from "./shapes.js";
import type { Telling } from "./telling.js";
import { type AgentCall, callTitle, wireCall } from "./tool-call.js";

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
): Promise<object> {
  const asked = readParams(PermissionRequest, params);
  // Clients are told of a call that has an id.
  const call = callOf(newsIn(asked), (news) => place.telling.askAbout(news));
  const shown = shownPermission(asked, call);
  const { named, description } = shown;
  if (await isBlocked(call, place.turn)) {
    return permissionReply(named.find(({ option }) => option.kind === "reject_once")?.option.optionId, {});
  }
  const questions = askedQuestions(asked);
  if (questions !== undefined) {
    const ask = { questions: questions.questions, toolCallId: call.toolCallId };
    const { outcome, items } = await askIn(place.session)(ask, signal);
    if (items !== undefined) return questions.answered(items);
    return outcome.status === "declined"
      ? questions.declined
      : permissionReply(undefined, outcomeMeta(outcome));
  }
  if (named.length === 0) {
    tellPerson(place.session, {
      severity: "warning",
      title: `The agent asked for a permission without saying what can be answered: ${callTitle(call)}`,
      body: "It was told that the permission is cancelled.",
      type: "permission",
    });
    return permissionReply(undefined, {});
  }
  const { id, words, outcome } = await decide(shown, signal, place.session);
  const chosen = named.find((option) => option.id === id);
  if (chosen?.option.kind.startsWith("allow") === true) place.allowed(call);
  else if (outcome.by === "human" && words.trim() !== "") place.rejected(description, words);
  return permissionReply(chosen?.option.optionId, outcomeMeta(outcome));
}

/** A hook keeps a call from running by rejecting it: the agent runs its calls itself. */
async function isBlocked(call: AgentCall, turn: Turn | undefined): Promise<boolean> {
  if (turn === undefined || !turn.hooks.has("PreToolUse")) return false;
  return (await turn.hooks.run("PreToolUse", { toolCall: wireCall(call) })).action === "block";
}

async function decide(shown: ShownPermission, signal: AbortSignal, session: AgentSession): Promise<Decision> {
  const { toolCallId } = shown.call;
  const { options, ...approval } = permissionApproval(shown);
  if (options === undefined) {
    // An approval cannot have the options of the agent.
    const asked = { questions: [permissionQuestion(shown)], toolCallId };
    const { outcome, items } = await askIn(session)(asked, signal);
    return { id: items?.[0]?.selected[0], words: outcome.note ?? "", outcome: outcome as Outcome };
  }
  const request = new ApprovalRequest({ tool_call_id: toolCallId, ...approval, options, relayed: true });
  const { outcome, answer } = await askElicited(session, request, signal);
  const feedback = answer?.feedback ?? outcome.note ?? "";
  // Among several options that reject, the label of the chosen one arrives as feedback: these are not the person's words.
  const isLabel =
    request.options?.some(({ id, label }) => id === answer?.option && label === feedback) === true;
  return { id: answer?.option, words: isLabel ? "" : feedback, outcome };
}
