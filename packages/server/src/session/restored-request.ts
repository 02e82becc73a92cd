import type { ApprovalEdit } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { Dialect, ToolDialect } from "../dialects/dialect.js";
import type { InteractionOpened, InteractionSettled, InteractionVoted } from "../journal/entries.js";
import type { LeftAsk } from "../journal/left-asks.js";
import type { LeftRequest } from "../journal/unfinished.js";
import type { AddressingInit, EscalationStepInit } from "../requests/addressing.js";
import type { ApprovalAnswer } from "../requests/approval-answer.js";
import { ApprovalRequest, editOfMessage } from "../requests/approval-request.js";
import { type AskingProgram, knownOrigin } from "../requests/asking-program.js";
import type { PersonRequest } from "../requests/core.js";
import type { DeadlineInit } from "../requests/deadline.js";
import type { Settlement } from "../requests/interaction.js";
import { QuestionRequest } from "../requests/question-request.js";

/** The time that a person has at least for a question of an earlier process, in milliseconds. */
const LEAST_MS = 60_000;

type Dialects = readonly (Dialect | ToolDialect)[];

/**
 * Makes the request of an earlier process again, under its id (P-RES-3).
 *
 * @throws TypeError for a record that does not fit.
 */
export function restoredRequest(
  { opened, votes, escalated }: Pick<LeftRequest, "opened" | "votes" | "escalated">,
  dialects: Dialects,
): PersonRequest {
  const request = opened.kind === "question" ? question(opened, dialects) : approval(opened, votes);
  request.held = true;
  addressAgain(request, opened, escalated);
  const { turn_id: turnId, call_id: callId, nth } = opened;
  if (turnId !== undefined) {
    request.place = { turnId, ...(callId !== undefined && nth !== undefined && { callId, nth }) };
  }
  return request;
}

/**
 * Makes the request of a program again that an earlier process left open, under its id (P-XAK-8).
 *
 * @throws TypeError for a record that does not fit.
 */
export function restoredAsk({ opened, asked, votes, escalated }: LeftAsk): PersonRequest {
  const { key, name = "", connection = "", origin, unasked, bound } = asked;
  const program = { key, by: { name, connection }, origin: origin && knownOrigin(origin), unasked, bound };
  const request =
    opened.kind === "question" ? question(opened, [], program) : approval(opened, votes, program);
  addressAgain(request, opened, escalated);
  return request;
}

/** Makes the steps again that an earlier process made, and has the others count from the first opening. */
function addressAgain({ addressing }: PersonRequest, { addressed }: InteractionOpened, steps: number): void {
  const at = Date.parse(addressed?.at ?? "");
  if (addressing !== undefined && !Number.isNaN(at)) addressing.openedAt = at;
  while (addressing !== undefined && addressing.escalated < steps && addressing.next !== undefined)
    addressing.escalate();
}

const addressedIn = ({ addressed }: InteractionOpened): AddressingInit =>
  defined({ to: addressed?.to, exclusive: addressed?.exclusive, escalate: addressed?.escalate?.map(stepIn) });

const stepIn = ({ after_ms, to }: EscalationStepInit): EscalationStepInit => ({ after_ms, to });

type QuestionInit = ConstructorParameters<typeof QuestionRequest>[0];

function question(opened: InteractionOpened, dialects: Dialects, program?: AskingProgram): QuestionRequest {
  const { tool_call_id, questions, background } = opened.request as QuestionInit;
  const whole = (opened.questions as QuestionInit["questions"] | undefined) ?? questions;
  const dialect = dialects.find(
    (candidate): candidate is Dialect => candidate.name === opened.dialect && "tool" in candidate,
  );
  return new QuestionRequest({
    id: opened.request_id,
    key: opened.key,
    tool_call_id,
    // A field takes own text, and whoever asks may not say so (P-XFL-2).
    questions: whole.map(({ own_text, ...question }) =>
      question.field === undefined && own_text !== undefined ? { ...question, own_text } : question,
    ),
    ...(opened.deadline !== undefined && { deadline: deadlineInit(opened.deadline) }),
    ...(dialect !== undefined && { native: { dialect, input: opened.input ?? null } }),
    ...defined({ background, program }),
    ...addressedIn(opened),
  });
}

const deadlineInit = ({ ms, on_expiry }: NonNullable<InteractionOpened["deadline"]>): DeadlineInit => ({
  ms,
  on_expiry: on_expiry as DeadlineInit["on_expiry"],
});

function approval(
  opened: InteractionOpened,
  votes: readonly InteractionVoted[],
  program?: AskingProgram,
): ApprovalRequest {
  const { request_id, key, request, for_session } = opened;
  const {
    tool_call_id,
    sender,
    action,
    description,
    display = [],
    options,
    edit,
    person_only = false,
    quorum,
    source_id,
  } = request as ApprovalInit;
  const restored = new ApprovalRequest({
    ...{ tool_call_id, sender, action, description, display, options, person_only, key, for_session },
    id: request_id,
    edit: edit && editOfMessage(edit as ApprovalEdit),
    ...{ quorum, program },
    ...addressedIn(opened),
  });
  for (const { by, response, answer_id, client_id } of votes) {
    const vote = { by, answer: response as ApprovalAnswer };
    const message = client_id === undefined ? undefined : defined({ answer_id, client_id });
    restored.quorum?.put({ ...vote, ...(message !== undefined && { message }) });
  }
  restored.source = source_id ?? undefined;
  return restored;
}

type ApprovalInit = ConstructorParameters<typeof ApprovalRequest>[0] & { source_id?: string | null };

/** The recorded settlement as its request has it. */
export const restoredSettlement = ({ outcome, response }: InteractionSettled): Settlement<never> =>
  response === undefined ? { outcome } : { outcome, answer: response as never };

/**
 * The rest of a deadline: nobody's time runs out while nobody could answer, and a clock that was set back gives nobody
 * more than the whole time (P-RES-11). Undefined for all of it.
 */
export function restOfDeadline(
  { deadline }: InteractionOpened,
  touched: boolean,
  now: number,
): number | undefined {
  if (deadline === undefined || touched) return undefined;
  const { ms, at } = deadline;
  const left = Date.parse(at) - now;
  return Math.min(ms, Math.max(Number.isNaN(left) ? ms : left, Math.min(ms, LEAST_MS)));
}
