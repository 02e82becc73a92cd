import type { ApprovalView, ClientHandlers, QuestionView } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished } from "vitest";
import { gatewayOf } from "../mcp/hosts.js";

/** Somebody at the gateway of a home, who answers by these handlers; what has none stays open. */
export async function someone(folder: string, handlers: ClientHandlers) {
  const approvals: ApprovalView[] = [];
  const questions: QuestionView[] = [];
  const withdrawn: string[] = [];
  const ends: string[] = [];
  const watch = (id: string, signal: AbortSignal) =>
    signal.addEventListener("abort", () => withdrawn.push(id));
  await expect.poll(() => gatewayOf(folder), { timeout: 60_000 }).toBeDefined();
  const session = await connectWebSocket(gatewayOf(folder)?.address ?? "", {
    client: { name: "person" },
    shows: { approvalOptions: true, fields: true, edits: true, previews: true, notes: true, skip: true },
    handlers: {
      event(event) {
        if (event.type !== "InteractionSettled") return;
        const { status, reason, by } = event.payload.outcome ?? {};
        ends.push(`${status}, ${reason}, by ${by}`);
      },
      approval: (view, context) => {
        approvals.push(view);
        watch(view.id, context.signal);
        return handlers.approval?.(view, context) ?? new Promise(() => {});
      },
      question: (view, context) => {
        questions.push(view);
        watch(view.id, context.signal);
        return handlers.question?.(view, context) ?? new Promise(() => {});
      },
    },
  });
  onTestFinished(() => session.close());
  return { approvals, questions, withdrawn, /** The ends of requests, as the person is told. */ ends };
}
