import {
  type AnswerableRequest,
  AnswerParams,
  answerIssues,
  type CoreQuestion,
  everyFeature,
  type RequestKind,
  type RequestType,
} from "@askwire/protocol";
import { inShort, isObject, want, wantMembers, wantSame } from "../contract/expectations.js";
import { asksFor } from "./conversation.js";
import { askwireOf, type ExtendedTurn } from "./extended-turn.js";
import type { ClientLine, ClientMessage } from "./line.js";
import { goOn, type PlayedQuestion, questionPayload } from "./server-messages.js";

/** The payload of a QuestionRequest in which every question and option has an id that no position gives it. */
export function questionById(asked: readonly PlayedQuestion[] = [goOn]) {
  const payload = questionPayload(asked);
  const questions = payload.questions.map((question, at) => ({
    ...question,
    id: `ask-${at}`,
    own_text: true,
    options: question.options.map((option, index) => ({ ...option, id: `ask-${at}-choice-${index}` })),
  }));
  return { ...payload, questions };
}

type QuestionById = ReturnType<typeof questionById>;

/** Wants an answer to choose these labels, a list of them for each question, with own text for the first. */
export function wantChosen(
  { params }: SaidById,
  { questions }: QuestionById,
  labels: readonly (readonly string[])[],
  ownText?: string,
): void {
  wantMembers("outcome", params.outcome, { status: "answered" });
  const items = (params.items ?? []).filter(({ skipped }) => skipped !== true);
  const said = items.map(({ question_id, selected, own_text = "" }) => [
    question_id,
    [...selected].sort(),
    own_text,
  ]);
  const expected = questions.flatMap(({ id, options }, at) => {
    const chosen = options.filter(({ label }) => labels[at]?.includes(label)).map((option) => option.id);
    const own = at === 0 ? (ownText ?? "") : "";
    return chosen.length === 0 && own === "" ? [] : [[id, chosen.sort(), own]];
  });
  wantSame("the ids that are chosen, by question", said.sort(), expected.sort());
}

/** Wants an answer that every server of the profile takes from this client (P-XAN-2, P-XAN-4). */
export function wantFitting(
  { params }: SaidById,
  request: AnswerableRequest,
  { introduced }: ExtendedTurn,
): void {
  const stated = ["by", "client", "at", "degraded"].filter((name) => name in params.outcome);
  wantSame("what an outcome says that is the server's to say", stated, []);
  const own = askwireOf(introduced) ?? {};
  const may = Object.fromEntries(
    Object.entries(everyFeature).map(([key, has]) => [key, has === true && own[key] === true]),
  );
  const [issue] = answerIssues(request, params, { skip: false, notes: false, attachments: false, ...may });
  want(issue === undefined, "an answer that fits", issue?.message ?? "");
}

/** The questions of a payload, as the profile has them. */
export const asQuestions = ({ questions }: QuestionById): AnswerableRequest => ({
  kind: "question",
  questions: questions as readonly CoreQuestion[],
});

/** Sends a question or approval. */
export function show({ line, session }: ExtendedTurn, type: RequestType, payload: { readonly id: string }) {
  line.send(session.opens(type, payload));
}

/** True if a message is the receipt for this request. */
export const receives = (requestId: string) => (message: ClientMessage) =>
  message.method === "received" && isObject(message.params) && message.params.request_id === requestId;

/** Takes the receipt for a request, which comes where the answer does not come at once. */
export async function takeReceipt(line: ClientLine, requestId: string): Promise<void> {
  const receipt = await line.take(
    `a notification received with the request_id ${inShort(requestId)}`,
    receives(requestId),
  );
  want(!("id" in receipt), "no id in the notification received", receipt);
}

/** Takes the release of a request. */
export async function takeRelease(line: ClientLine, requestId: string): Promise<ClientMessage> {
  return await line.take(
    `a request release with the request_id ${inShort(requestId)}`,
    ({ method, params }) => method === "release" && isObject(params) && params.request_id === requestId,
  );
}

/** True for an `answer` to this request. */
export const answersById = (requestId: string) => (message: ClientMessage) =>
  asksFor("answer")(message) && isObject(message.params) && message.params.request_id === requestId;

/** The client's word on a request: its `answer`, with the contents. */
export interface SaidById {
  readonly id: unknown;
  readonly params: AnswerParams;
}

/** Takes the `answer` to a request, and wants it to be one. */
export async function takeAnswer(line: ClientLine, requestId: string): Promise<SaidById> {
  const message = await line.take(
    `a request answer with the request_id ${inShort(requestId)}`,
    answersById(requestId),
  );
  const parsed = AnswerParams.safeParse(message.params);
  want(parsed.success, "answer {request_id, answer_id, outcome, …} with fields that fit", message);
  return { id: message.id, params: parsed.data };
}

/** Has an answer count: every client hears of it, then it gets its reply. */
export function accept(
  { line, session }: Pick<ExtendedTurn, "line" | "session">,
  { id, params }: SaidById,
  kind: RequestKind = "question",
): void {
  const { request_id } = params;
  const outcome = settledBy("person", params.outcome);
  line.send(session.settles(request_id, kind, outcome), { id, result: { outcome } });
}

/** An outcome by a person, at a client of this name. */
export function settledBy(name: string, { status = "answered", ...more }: { readonly status?: string } = {}) {
  return { ...more, status, by: "human", client: { name, connection: "c-1" }, at: new Date().toISOString() };
}

/** Wants the client to be there still: a question is answered. */
export async function goesOn(turn: ExtendedTurn): Promise<SaidById> {
  const payload = questionById();
  show(turn, "QuestionRequest", payload);
  const said = await takeAnswer(turn.line, payload.id);
  wantChosen(said, payload, [["Yes"]]);
  wantFitting(said, asQuestions(payload), turn);
  accept(turn, said);
  return said;
}
