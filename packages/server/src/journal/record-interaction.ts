import { isLasting, type Outcome, requests } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import { wireRequest } from "../profiles/base-profile.js";
import { addressedOf, wholeApproval } from "../profiles/extended-profile.js";
import type { WireRequestInput } from "../profiles/profile.js";
import type { Addressing } from "../requests/addressing.js";
import type { ApprovalRequest } from "../requests/approval-request.js";
import { askDigest } from "../requests/ask-digest.js";
import type { AnyInteraction, PersonRequest } from "../requests/core.js";
import type { Settlement } from "../requests/interaction.js";
import type { QuestionRequest } from "../requests/question-request.js";
import type { AskOpened, InteractionKind, InteractionOpened } from "./entries.js";
import type { Journal } from "./journal.js";
import type { WireMessage } from "./merge.js";

/** The id under which a request is recorded: that of its payload, which for a tool call is the model's. */
const recordedId = (request: AnyInteraction) =>
  request.kind === "tool_call" ? request.toolCallId : request.id;

/** A payload as it crosses the wire, with every field (P-JRN-2). */
function wholePayload({ type, payload }: WireRequestInput): unknown {
  const parsed = validateCompiled(requests[type].payload, payload);
  return parsed.ok ? parsed.value : payload;
}

/**
 * Records a new request as its kind demands: as Kimi does, by a note of ours, or later (P-JRN-5, P-DUR-4).
 *
 * @param now milliseconds since 1970.
 * @returns false for a request that must not be sent.
 */
export function recordOpened(journal: Journal, request: AnyInteraction, now: number): boolean {
  switch (request.kind) {
    case "question":
      return journal.opened(questionOpened(request, now), questionMessage(request), askOpened(request));
    case "approval":
      return journal.opened(approvalOpened(request, now), undefined, askOpened(request));
    case "tool_call":
      journal.record(wireRequest(request, request.toolCallId) as WireMessage);
      return true;
    case "hook":
      return true;
  }
}

/** The members that the records of questions and approvals share. */
function frameOf({ id, kind, key, place, origin, addressing }: PersonRequest, now: number) {
  return {
    request_id: id,
    kind: kind as InteractionKind,
    turn_id: place?.turnId,
    call_id: place?.callId,
    nth: place?.nth,
    key,
    origin,
    ...(addressing !== undefined && { addressed: recordedAddressing(addressing, now) }),
  };
}

const recordedAddressing = ({ first, exclusive, steps }: Addressing, now: number) => ({
  at: new Date(now).toISOString(),
  ...defined({ to: first }),
  ...(exclusive && { exclusive }),
  ...(steps.length > 0 && { escalate: steps.map((step) => ({ ...step })) }),
});

/** The option that a word of base clients stands for, which the payload does not have. */
function forSession({ words }: ApprovalRequest): { for_session?: string } {
  const option = words?.approve_for_session;
  return isLasting(option?.scope) ? { for_session: option?.id as string } : {};
}

const approvalOpened = (request: ApprovalRequest, now: number): InteractionOpened => ({
  ...frameOf(request, now),
  request: wholePayload(wholeApproval(request)),
  ...forSession(request),
});

/** The record of a question for base clients and Kimi's readers. */
export const questionMessage = (request: QuestionRequest) => wireRequest(request, request.id) as WireMessage;

/** The request without what the record after it has: that one is for base clients, and has less of the questions. */
function questionOpened(request: QuestionRequest, now: number): InteractionOpened {
  const { questions, deadline, native } = request;
  return {
    ...frameOf(request, now),
    request: requestOf(request),
    questions,
    ...(deadline !== undefined && {
      deadline: {
        ms: deadline.ms,
        on_expiry: deadline.onExpiry,
        at: new Date(now + deadline.ms).toISOString(),
      },
    }),
    ...(native !== undefined && { dialect: native.dialect.name, input: native.input }),
  };
}

/** The members of a question that are not its questions. */
const requestOf = ({ id, toolCallId: tool_call_id, background, addressing }: QuestionRequest) => ({
  ...{ id, tool_call_id },
  ...(background && { background }),
  ...addressedOf({ addressing }),
});

function askOpened(request: PersonRequest): AskOpened | undefined {
  const { id: request_id, program } = request;
  if (program === undefined) return undefined;
  const { key, by, origin, unasked, bound } = program;
  const { name, connection } = by;
  return { request_id, key, digest: askDigest(request), name, connection, origin, unasked, bound };
}

/** Records the end of a question or approval that nobody was asked: no other record has the request (P-JRN-5). */
export function recordUnasked(journal: Journal, request: PersonRequest, outcome: Outcome): void {
  const whole =
    request.kind === "question"
      ? { ...requestOf(request), questions: request.questions }
      : wholePayload(wholeApproval(request));
  journal.unasked({ request_id: request.id, kind: request.kind as InteractionKind, request: whole, outcome });
}

/**
 * Records the outcome of a request, and its answer.
 *
 * @returns false if it is not kept.
 */
export function recordSettled(
  journal: Journal,
  request: AnyInteraction,
  { outcome, answer, message }: Settlement<unknown>,
): boolean {
  const request_id = recordedId(request);
  return journal.settled({
    request_id,
    kind: request.kind,
    ...(request.kind === "hook" && { request: wholePayload(wireRequest(request, request_id)) }),
    outcome,
    ...(answer === undefined ? {} : { response: answer }),
    ...message,
    ...(request.held && { held: true }),
  });
}
