import { FINISHED_THERE, type FormEnd, linkQuestion } from "@askwire/client/json-schema";
import { type AgentSession, QuestionRequest } from "@askwire/server";
import { askElicited } from "./ask-person.js";
import type { Elicitation } from "./shapes.js";

/** Addresses that are shown, for which the agent may itself report that a person is done. */
export interface OpenLinks {
  /** Asks a person to open an address, and waits until that is done. Nothing is opened by itself. */
  ask(asked: Elicitation, signal: AbortSignal, session: Pick<AgentSession, "open">): Promise<FormEnd>;
  /** The agent says that the person is done at an address. */
  complete(elicitationId: string): void;
}

export function openLinks(): OpenLinks {
  const open = new Map<string, QuestionRequest>();
  const done = new WeakSet<QuestionRequest>();
  return {
    async ask(asked, signal, session) {
      const request = new QuestionRequest({
        tool_call_id: asked.toolCallId ?? "",
        questions: [linkQuestion(asked.message, asked.url ?? "")],
      });
      const id = asked.elicitationId ?? "";
      open.set(id, request);
      try {
        const { outcome, answer } = await askElicited(session, request, signal);
        const chosen = answer?.items[0]?.selected[0];
        if (done.has(request) || chosen === FINISHED_THERE) return { content: new Map(), notes: new Map() };
        return {
          outcome: chosen === undefined ? outcome : { ...outcome, status: "declined", reason: "dismissed" },
        };
      } finally {
        if (open.get(id) === request) open.delete(id);
      }
    },
    complete(elicitationId) {
      const request = open.get(elicitationId);
      if (request === undefined || request.resolved) return;
      done.add(request);
      request.reject("the agent says that it is done");
    },
  };
}
