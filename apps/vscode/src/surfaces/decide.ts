// Decisions about approvals, wherever they are made: an approval of files with unsaved edits is asked about first.
import type { ApprovalReply } from "@askwire/client";
import { allowsBy } from "../cards/cards.js";
import type { SurfaceShown } from "./surface.js";
import type { Unsaved } from "./unsaved.js";
import { whileOpen } from "./while-open.js";

/** The parts that a decision needs. */
export interface Deciding extends Pick<SurfaceShown, "chats" | "cards"> {
  readonly unsaved: Unsaved;
}

/**
 * Answers an approval.
 *
 * @returns `left` where the person leaves it open because of unsaved edits, `refused` where it is no longer open or does
 * not take the answer.
 */
export async function decideBy(
  { chats, cards, unsaved }: Deciding,
  chat: string,
  id: string,
  reply: ApprovalReply,
): Promise<"sent" | "left" | "refused"> {
  const request = cards.of(chat, id);
  if (request?.kind === "approval" && allowsBy(request, reply)) {
    const { signal, end } = whileOpen({ chats, cards }, { chat, request });
    try {
      if (!(await unsaved.mayAllow({ chat, request }, signal))) return signal.aborted ? "refused" : "left";
    } finally {
      end();
    }
  }
  return cards.answerApproval(chat, id, reply) ? "sent" : "refused";
}
