import type { ApprovalView, QuestionView } from "@askwire/client";
import { answerChoices } from "@askwire/client/text";
import { standardLabel, type WireEvent } from "@askwire/protocol";
import { added, bounded, changed } from "./change.js";
import type { Entry, EntryOf, LabelledQuestion, Settled } from "./entries.js";

type Entries = readonly Entry[];
/** A request in whatever way it became known: put to this client, in the history, or open elsewhere. */
type Request = Omit<EntryOf<"asked">, "kind" | "key" | "settled">;

/** A question of a view, or of a history, which may have no ids. */
interface ToldQuestion {
  readonly id?: unknown;
  readonly question: string;
  readonly options: readonly { readonly id?: unknown; readonly label: string }[];
}

/** The request of a question. What has no id is named by its position (P-QST-2). */
export const questionAsked = ({
  id,
  tool_call_id: callId,
  questions,
}: Pick<QuestionView, "id" | "tool_call_id"> & { readonly questions: readonly ToldQuestion[] }): Request => ({
  ...{ id, callId, isApproval: false, options: [] },
  about: questions.map(({ question }) => bounded(question)),
  questions: questions.map(({ id, question, options }, at) => {
    const name = typeof id === "string" ? id : `q${at + 1}`;
    return { id: name, question, options: options.map((option, place) => optionAsked(option, name, place)) };
  }),
});

const optionAsked = ({ id, label }: ToldQuestion["options"][number], question: string, at: number) => ({
  id: typeof id === "string" ? id : `${question}_o${at + 1}`,
  label,
});

/** The request of an approval. */
export const approvalAsked = ({
  id,
  sender,
  action,
  description,
  options = [],
}: Pick<ApprovalView, "id" | "sender" | "action" | "description" | "options">): Request => ({
  ...{ id, isApproval: true, questions: [] },
  about: [`${sender}: ${action}`, description].map(bounded),
  options: options.map(({ label, ...option }) => ({
    ...{ id: option.id, kind: option.kind, scope: option.scope },
    ...(label !== standardLabel(option) && { label }),
  })),
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
  const known = withRequest(entries, {
    ...{ id: request_id, about: [], questions: [], isApproval, options: [] },
  });
  return changed(known, isAsked(request_id), (entry) => {
    const answer = isApproval ? approvalAnswer(response, entry) : questionAnswers(response, entry);
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
function questionAnswers(
  response: unknown,
  { questions }: Pick<EntryOf<"asked">, "questions">,
): Pick<Settled, "answers" | "notes" | "pictures"> {
  const { answers, items } = fieldsOf(response);
  if (typeof answers !== "object" || answers === null) return {};
  const all = Array.isArray(items) ? items.map(fieldsOf) : [];
  const notes = all.flatMap(({ note }) =>
    typeof note === "string" && note.trim() !== "" ? [bounded(note)] : [],
  );
  const pictures = all.reduce(
    (sum, { attachments }) => sum + (Array.isArray(attachments) ? attachments.length : 0),
    0,
  );
  return {
    ...(notes.length > 0 && { notes: [...new Set(notes)] }),
    ...(pictures > 0 && { pictures }),
    answers: Object.entries(answers).map(([text, answer]) => {
      const question = questions.find((one) => one.question === text);
      const item = question && all.find(({ question_id }) => question_id === question.id);
      const choices = (item && severalIn(item, question)) ?? [String(answer)];
      return [text, choices.map(bounded)];
    }),
  };
}

/** The choices of an answer that has several. Undefined for one choice, and where an option is not known. */
function severalIn(
  { selected, own_text = "" }: Readonly<Record<string, unknown>>,
  { options }: LabelledQuestion,
): readonly string[] | undefined {
  if (!Array.isArray(selected) || typeof own_text !== "string") return undefined;
  const choices = answerChoices({ options }, { selected, own_text });
  const count = selected.length + (own_text.trim() === "" ? 0 : 1);
  return count > 1 && choices.length === count ? choices : undefined;
}

/** Reads the answer to an approval, which comes without a schema. */
function approvalAnswer(
  response: unknown,
  { options }: Pick<EntryOf<"asked">, "options">,
): Pick<Settled, "approval"> {
  const { response: word, option, feedback, edited } = fieldsOf(response);
  if (typeof word !== "string") return {};
  const chosen = options.find(({ id }) => id === option);
  return {
    approval: {
      response: word,
      ...(chosen?.label !== undefined && { label: chosen.label }),
      ...(chosen !== undefined && chosen.label === undefined && { usual: chosen }),
      feedback: typeof feedback === "string" ? bounded(feedback) : "",
      isEdited: typeof edited === "string",
    },
  };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
