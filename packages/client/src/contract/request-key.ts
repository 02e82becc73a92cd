import type { ApprovalView, QuestionView } from "./handlers.js";

/**
 * Names a request and what it asks: the request's id, a point, and a digest of all that is shown, its deadline and its addressees aside.
 * Cards, drafts and kept answers go by it, since a server may come to ask something else under the same id (P-XCL-6).
 */
export const requestKey = (request: QuestionView | ApprovalView): string =>
  `${request.id}.${digest(askedBy(request))}`;

/** True for a key of something that was asked under this id. */
export const isKeyOf = (requestId: string, key: string): boolean =>
  key.slice(0, key.lastIndexOf(".")) === requestId;

/** The text of a request without what may differ each time that it is sent: its deadline, and for whom it is (P-XTO-6). */
export const askedBy = (request: object): string =>
  JSON.stringify({
    ...request,
    deadline: undefined,
    to: undefined,
    exclusive: undefined,
    escalated: undefined,
  });

/**
 * 53 bits of a text, in base 36. It keeps requests of one id apart, against mistakes: whoever asks could make two texts of
 * one digest, and could as well ask either.
 */
export function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (0x100000000 * (low & 0x1fffff) + (high >>> 0)).toString(36);
}
