// The cards of all sessions: requests that wait for the person. Every surface answers here, and the first answer
// counts.
import type { ApprovalReply, QuestionReply } from "@askwire/client";
import {
  type CardWords,
  type OpenApproval,
  type OpenQuestion,
  type OpenRequest,
  shownWays,
} from "@askwire/react/stores";
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

/** True for a reply by which the agent may do what it asks for. */
export function allowsBy({ request: { options } }: OpenApproval, reply: ApprovalReply): boolean {
  if (typeof reply === "string") return reply !== "reject";
  if ("response" in reply) return reply.response !== "reject";
  return options?.find(({ id }) => id === reply.option)?.kind === "allow";
}

/** A way to answer an approval, with what it covers in words. */
export type CardWay = ReturnType<typeof shownWays>["allow"][number];

/** The ways to answer an approval as its card has them, yes first. */
export function waysOf({ request }: OpenApproval, words: CardWords): readonly CardWay[] {
  const { allow, rejects } = shownWays(request, words);
  return [...allow, ...rejects];
}
