import type { ApprovalView, QuestionView } from "@askwire/client";
import type { WireEvent } from "@askwire/protocol";
import { added, bounded, changed } from "./change.js";
import type { Entry, EntryOf, Settled } from "./entries.js";

type Entries = readonly Entry[];
/** A request in whatever way it became known: put to this client, in the history, or open elsewhere. */
type Request = Omit<EntryOf<"asked">, "kind" | "key" | "settled">;

/** The request of a question. */
export const questionAsked = ({
  id,
  questions,
}: Pick<QuestionView, "id"> & { readonly questions: readonly { readonly question: string }[] }): Request => ({
  ...{ id, isApproval: false, options: [] },
  about: questions.map(({ question }) => bounded(question)),
});

/** The request of an approval. */
export const approvalAsked = ({
  id,
  sender,
  action,
  description,
  options = [],
}: Pick<ApprovalView, "id" | "sender" | "action" | "description" | "options">): Request => ({
  ...{ id, isApproval: true },
  about: [`${sender}: ${action}`, description].map(bounded),
  options: options.map(({ id, label }) => ({ id, label })),
});

/** The entries with a request, unless it is there already. */
export const withRequest = (entries: Entries, request: Request): Entries =>
  entries.some(isAsked(request.id)) ? entries : added(entries, { kind: "asked", ...request });

/** The entries with the end of a request. Calls of tools and hooks are told by other events. */
export function withSettled(
  entries: Entries,
  { request_id, kind, outcome, response }: Extract<WireEvent, { type: "InteractionSettled" }>["payload"],
): Entries {
  if (kind !== "question" && kind !== "approval") return entries;
  const isApproval = kind === "approval";
  const known = withRequest(entries, { id: request_id, about: [], isApproval, options: [] });
  return changed(known, isAsked(request_id), (entry) => {
    const answer = isApproval ? approvalAnswer(response, entry) : questionAnswers(response);
    return { ...entry, settled: { ...(outcome !== undefined && { outcome }), ...answer } };
  });
}

/** The entries with the answer to an approval, which is all that the base profile reports of its end. */
export const withApproval = (
  entries: Entries,
  answer: Extract<WireEvent, { type: "ApprovalResponse" }>["payload"],
): Entries =>
  changed(entries, isAsked(answer.request_id), (entry) =>
    entry.settled === undefined ? { ...entry, settled: approvalAnswer(answer, entry) } : entry,
  );

const isAsked =
  (id: string) =>
  (entry: Entry): entry is EntryOf<"asked"> =>
    entry.kind === "asked" && entry.id === id;

/** Reads the answers to a question, which come without a schema (P-XST-1). */
function questionAnswers(response: unknown): Pick<Settled, "answers"> {
  const { answers } = fieldsOf(response);
  if (typeof answers !== "object" || answers === null) return {};
  return { answers: Object.entries(answers).map(([text, answer]) => [text, bounded(String(answer))]) };
}

/** Reads the answer to an approval, which comes without a schema. */
function approvalAnswer(
  response: unknown,
  { options }: Pick<EntryOf<"asked">, "options">,
): Pick<Settled, "approval"> {
  const { response: word, option, feedback, edited } = fieldsOf(response);
  if (typeof word !== "string") return {};
  const label = options.find(({ id }) => id === option)?.label;
  return {
    approval: {
      response: word,
      ...(label !== undefined && { label }),
      feedback: typeof feedback === "string" ? bounded(feedback) : "",
      isEdited: typeof edited === "string",
    },
  };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
