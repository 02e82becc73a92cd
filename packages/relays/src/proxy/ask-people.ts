import { type AskOrigin, askApproval, type ClientSession } from "@askwire/client";
import { randomId } from "@askwire/protocol/internal";
import type { PermissionQuestions } from "../acp/asked-questions.js";
import { permissionReply } from "../acp/permission-reply.js";
import { permissionApproval, permissionQuestion, type ShownPermission } from "../acp/permission-shown.js";
import { acpToolName } from "../acp/tool-call.js";
import type { OpenLinks } from "../elicitation/ask-link.js";
import type { AsksQuestions } from "../elicitation/ask-questions.js";
import { elicit } from "../elicitation/elicit.js";
import type { Elicitation } from "../elicitation/shapes.js";

/** A session to ask people by. */
export type PeopleSession = Pick<ClientSession, "ask">;

/** The end of a request at people. */
export interface PeoplesEnd {
  /** The reply for the agent. */
  readonly reply: object;
  /** True for a person's decision. Any other end decides nothing where the host is asked too. */
  readonly isDecision: boolean;
}

/** The surroundings of a request. */
export interface PeoplePlace {
  readonly session: PeopleSession;
  readonly origin: AskOrigin;
  readonly signal: AbortSignal;
}

/** The name of the words with which a person decided, on a reply: ACP has no place for them. */
const FEEDBACK = "askwire.dev/feedback";

/** Puts a permission to people. */
export async function permitByPeople(shown: ShownPermission, place: PeoplePlace): Promise<PeoplesEnd> {
  const { id, feedback } = await decide(shown, place);
  const chosen = shown.named.find((option) => option.id === id);
  // Among several options that reject, the label of the chosen one arrives as feedback: these are not the person's words.
  const isSaid = feedback !== undefined && feedback.trim() !== "" && feedback !== chosen?.label;
  const words = isSaid ? { _meta: { [FEEDBACK]: feedback } } : {};
  return {
    reply: permissionReply(chosen?.option.optionId, words),
    isDecision: chosen !== undefined,
  };
}

/** Puts questions to people that an agent asks by a permission. */
export async function answerByPeople(
  asked: PermissionQuestions,
  { session, signal, origin }: PeoplePlace,
): Promise<PeoplesEnd> {
  const ask = { questions: asked.questions, key: randomId(), onLost: "withdraw" as const, signal, origin };
  const { outcome, items } = await session.ask(ask);
  if (outcome.status === "answered") return { reply: asked.answered(items), isDecision: true };
  const isDecision = outcome.status === "declined";
  return { reply: isDecision ? asked.declined : permissionReply(undefined, {}), isDecision };
}

async function decide(shown: ShownPermission, { session, signal, origin }: PeoplePlace) {
  const { options, ...approval } = permissionApproval(shown);
  const from = { ...origin, tool: acpToolName(shown.call) };
  const ask = { key: randomId(), onLost: "withdraw" as const, signal, origin: from };
  if (options === undefined) {
    const { items } = await session.ask({ ...ask, questions: [permissionQuestion(shown)] });
    return { id: items[0]?.selected[0], feedback: undefined };
  }
  const { option, outcome, feedback } = await askApproval(session, { ...approval, options, ...ask });
  return { id: outcome.status === "answered" ? option : undefined, feedback };
}

/**
 * Puts a form or a link to people.
 *
 * @param unshowable told of a form that people cannot be shown, with the reason.
 */
export async function elicitFromPeople(
  asked: Elicitation,
  links: OpenLinks,
  { session, signal, origin }: PeoplePlace,
  unshowable: (reason: string) => void,
): Promise<PeoplesEnd> {
  let isShown = true;
  const ask: AsksQuestions = async ({ questions }, stop) => {
    const key = randomId();
    return session.ask({ questions, key, onLost: "withdraw", signal: stop, origin });
  };
  const reply = await elicit(asked, signal, {
    ask,
    links,
    unshowable(reason) {
      isShown = false;
      unshowable(reason);
    },
  });
  return { reply, isDecision: isShown && reply.action !== "cancel" };
}
