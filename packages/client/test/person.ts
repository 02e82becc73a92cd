import type { ApprovalReply, QuestionReply, RequestContext } from "../src/index.js";

/** A person who answers when the test does, and what was put to them. */
export function person() {
  const shown: {
    view: { id: string };
    context: RequestContext;
    answer(reply: QuestionReply | ApprovalReply): void;
    fail(error: Error): void;
  }[] = [];
  const show = (view: { id: string }, context: RequestContext) =>
    new Promise<never>((resolve, reject) => {
      shown.push({ view, context, answer: resolve as (reply: unknown) => void, fail: reject });
    });
  return { shown, handlers: { question: show, approval: show } };
}
