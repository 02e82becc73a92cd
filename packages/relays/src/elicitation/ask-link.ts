import { FINISHED_THERE, type FormEnd, linkQuestion } from "@askwire/client/json-schema";
import type { HeardOutcome, Outcome } from "@askwire/protocol";
import type { AsksQuestions } from "./ask-questions.js";
import type { Elicitation } from "./shapes.js";

/** Addresses that are shown, for which the agent may itself report that a person is done. */
export interface OpenLinks {
  /** Asks a person to open an address, and waits until that is done. Nothing is opened by itself. */
  ask(asked: Elicitation, signal: AbortSignal, ask: AsksQuestions): Promise<FormEnd<Outcome | HeardOutcome>>;
  /** The agent says that the person is done at an address. */
  complete(elicitationId: string): void;
}

export function openLinks(): OpenLinks {
  const open = new Map<string, AbortController>();
  return {
    async ask({ message, url = "", elicitationId: id = "", toolCallId }, signal, ask) {
      const done = new AbortController();
      open.set(id, done);
      try {
        const questions = [linkQuestion(message, url)];
        const either = AbortSignal.any([signal, done.signal]);
        const { outcome, items } = await ask({ questions, toolCallId: toolCallId ?? "" }, either);
        const chosen = items?.[0]?.selected[0];
        const isDone = chosen === undefined ? done.signal.aborted : chosen === FINISHED_THERE;
        if (isDone) return { content: new Map(), notes: new Map() };
        return {
          outcome: chosen === undefined ? outcome : { ...outcome, status: "declined", reason: "dismissed" },
        };
      } finally {
        if (open.get(id) === done) open.delete(id);
      }
    },
    complete(elicitationId) {
      open.get(elicitationId)?.abort("the agent says that it is done");
    },
  };
}
