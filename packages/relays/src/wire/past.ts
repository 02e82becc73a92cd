import type { ClientSession } from "@askwire/client";
import { baseItem, LocalError, type RequestPayload, WireError } from "@askwire/protocol";
import type { PastMessage } from "@askwire/server";

/** The most earlier messages that are held, the newest ones, and their characters. */
const MOST = 10_000;
const MOST_CHARACTERS = 16 * 1_024 * 1_024;

/** The conversation that the agent has kept of earlier processes, oldest first; empty for an agent without a record. */
export async function pastOf(upstream: ClientSession): Promise<readonly PastMessage[]> {
  const past: { message: PastMessage; size: number }[] = [];
  let size = 0;
  const add = (message: PastMessage) => {
    const added = JSON.stringify(message).length;
    past.push({ message, size: added });
    size += added;
    while (past.length > MOST || size > MOST_CHARACTERS) size -= past.shift()?.size ?? 0;
  };
  try {
    await upstream.replay({
      event(event) {
        if (event.type === "unrecognized") return;
        const { type, payload } = event;
        add({ form: type === "InteractionSettled" ? "note" : "event", type, payload });
      },
      request: ({ type, payload }) => {
        if (type === "ApprovalRequest")
          add({ form: "note", type: "InteractionOpened", payload: { kind: "approval", request: payload } });
        else if (type === "QuestionRequest") for (const message of pastQuestion(payload)) add(message);
        else if (type !== "HookRequest") add({ form: "request", type, payload });
      },
    });
  } catch (error) {
    // An older agent has no record.
    if (!(error instanceof WireError || error instanceof LocalError)) throw error;
  }
  return past.map(({ message }) => message);
}

/** A question as a journal has it: the note with its ids, then the record for clients of the base profile (P-JRN-4). */
function pastQuestion(payload: RequestPayload<"QuestionRequest">): PastMessage[] {
  const { id: request_id, questions } = payload;
  return [
    { form: "note", type: "InteractionOpened", payload: { kind: "question", request_id, questions } },
    { form: "request", type: "QuestionRequest", payload: { ...payload, questions: questions.map(baseItem) } },
  ];
}
