// The cards of all sessions: requests that wait for the person. Every surface answers here, and the first answer
// counts.
import type { ApprovalReply, QuestionReply } from "@askwire/client";
import { isLasting } from "@askwire/protocol";
import type { OpenApproval, OpenQuestion, OpenRequest } from "@askwire/react/stores";
import type { Chat } from "../chats/chat.js";

/** A request that is open, with its session. */
export interface OpenCard {
  readonly chat: string;
  readonly request: OpenRequest;
}

export interface Cards {
  /** The open cards, those of the shown session first. */
  open(): readonly OpenCard[];
  /** The open card of a session. Undefined once it is answered or gone. */
  of(chat: string, id: string): OpenRequest | undefined;
  /** Answers a question. False where it is no longer open, or the answer does not fit. */
  answerQuestion(chat: string, id: string, reply: QuestionReply): boolean;
  /** Answers an approval. False where it is no longer open, or the answer does not fit. */
  answerApproval(chat: string, id: string, reply: ApprovalReply): boolean;
}

/** The name of a card among those of all sessions, whose ids may be equal. */
export const keyOf = (chat: string, card: string): string => JSON.stringify([chat, card]);

/** The names of the cards that are open. */
export const openKeys = ({ open }: Cards): ReadonlySet<string> =>
  new Set(open().map(({ chat, request }) => keyOf(chat, request.id)));

/** @param chats the sessions, the shown one first. */
export function cards(chats: () => readonly Chat[]): Cards {
  const of = (chat: string, id: string) =>
    chats()
      .find((one) => one.id === chat)
      ?.open()
      .find((request) => request.id === id);
  return {
    open: () => chats().flatMap((chat) => chat.open().map((request) => ({ chat: chat.id, request }))),
    of,
    // #region first-answer
    answerQuestion(chat, id, reply) {
      const request = of(chat, id);
      if (request?.kind !== "question" || !fitsQuestion(request, reply)) return false;
      request.onReply(reply);
      return true;
    },
    // #endregion first-answer
    answerApproval(chat, id, reply) {
      const request = of(chat, id);
      if (request?.kind !== "approval" || !fitsApproval(request, reply)) return false;
      request.onReply(reply);
      return true;
    },
  };
}

/** True for a reply about questions and options of the request. The agent's server checks the rest. */
function fitsQuestion({ request }: OpenQuestion, reply: QuestionReply): boolean {
  if (typeof reply === "string" || !("items" in reply)) return true;
  return reply.items.every(({ question_id, selected }) => {
    const question = request.questions.find(({ id }) => id === question_id);
    const isOption = (id: string) => question?.options.some((option) => option.id === id) === true;
    const most = question?.multi_select === true ? Number.POSITIVE_INFINITY : 1;
    return question !== undefined && selected.length <= most && selected.every(isOption);
  });
}

/** True for one of the request's own options, or for yes and no where it has none. */
function fitsApproval({ request: { options, edit } }: OpenApproval, reply: ApprovalReply): boolean {
  if (typeof reply === "string") return options === undefined;
  if (reply.edited !== undefined && edit === undefined) return false;
  if (!("option" in reply)) return options === undefined;
  return options?.some(({ id }) => id === reply.option) === true;
}

/** The ways to answer an approval, yes first. `lasts` is set for one that covers more than this call. */
export function waysOf({ request: { options } }: OpenApproval): readonly CardWay[] {
  if (options === undefined)
    return [
      { reply: "approve", allows: true, lasts: false },
      { reply: "approve_for_session", allows: true, lasts: true },
      { reply: "reject", allows: false, lasts: false },
    ];
  return options.map(({ id, label, kind, scope }) => ({
    ...{ reply: { option: id }, label, allows: kind === "allow", lasts: isLasting(scope) },
    ...(scope !== undefined && { covers: scope.text }),
  }));
}

/** A way to answer an approval. `label` is absent where the editor has its own words. */
export interface CardWay {
  readonly reply: ApprovalReply;
  readonly allows: boolean;
  readonly lasts: boolean;
  readonly label?: string;
  readonly covers?: string;
}
