import {
  type AnswerableRequest,
  type AnswerIssue,
  type AnswerItem,
  type AnswerParams,
  type AnswerReply,
  type ApprovalKind,
  type Approver,
  answerIssues,
  approvalDegradations,
  degradations,
  type In,
  isLasting,
  outcomeReasons,
  type Permission,
  type ReleaseReason,
  statedStatuses,
  WireError,
} from "@askwire/protocol";
import { jsonText, keptText } from "@askwire/protocol/internal";
import type { InteractionSettled } from "../journal/entries.js";
import type { ClientName } from "../profiles/profile.js";
import type { PersonWithRoles } from "../requests/addressing.js";
import { notForThem, takenByAnother } from "../requests/answer-rights.js";
import type { ApprovalAnswer } from "../requests/approval-answer.js";
import type { ApprovalRequest } from "../requests/approval-request.js";
import { optionsFor, questionFor } from "../requests/call-alone.js";
import {
  type AnswerRefusal,
  type ClientRequest,
  type InteractionCore,
  isForClient,
  type PersonRequest,
} from "../requests/core.js";
import { outcomeNow, type Settlement } from "../requests/interaction.js";
import { type HeldClaim, type Holder, holderId, type RequestClaims } from "../requests/request-claims.js";
import type { AllowedFeatures } from "../requests/shows.js";
import { Remembered } from "../runtime/remembered.js";
import { EVENT_FRAME } from "./event-log.js";
import { answerNotAllowed, answerTaken } from "./not-allowed.js";
import { NotKept } from "./not-kept.js";
import { givenApprovals, type SessionEvents } from "./session-events.js";

/** The client that answers, and the features that it may use. */
export interface Answerer {
  /** The id of the client for the core. */
  readonly recipientId: string;
  readonly client: ClientName;
  /** The person that the client was let in as (P-WHO-3), with the roles of this moment (P-XTO-4). */
  readonly person: PersonWithRoles;
  readonly shows: AllowedFeatures;
  /** True if the role of the client has a permission. */
  may(permission: Permission): boolean;
}

/** Replies that are remembered at least, of those that counted and of those that did not. */
const REMEMBERED = 256;
/** UTF-16 units of a request's id, at most: nothing longer is remembered. */
const MAX_ID = 256;

/** An answer of so few characters of a person is not measured: 2 % of the cost of a question. */
const SHORT = 1024;

/** The reply to an accepted answer. */
export type Counted = In<typeof AnswerReply>;
type Reply = Counted | WireError;

/** The parts of the session of these answers. */
interface AnswersParts {
  readonly core: InteractionCore;
  /** True for a request that another session knows. */
  readonly elsewhere: (requestId: string) => boolean;
  /** Tells a settlement. */
  readonly events: Pick<SessionEvents, "marksOf">;
  readonly claims: RequestClaims;
}

/**
 * The answers of a session's extended clients: read, refused or counted, each once (P-XAN-2 to P-XAN-7).
 */
export class Answers {
  readonly #core: InteractionCore;
  readonly #elsewhere: (requestId: string) => boolean;
  readonly #events: AnswersParts["events"];
  readonly #claims: RequestClaims;
  readonly #room: number;
  readonly #counted = new Remembered<Reply>(REMEMBERED);
  readonly #refused = new Remembered<Reply>(REMEMBERED);

  /**
   * @param maxText UTF-16 units of one message, at most: every client is told of an answer.
   * @param kept the settlements of earlier processes, oldest first: an answer that is sent again has its reply again.
   */
  constructor(
    { core, elsewhere, events, claims }: AnswersParts,
    maxText: number,
    kept: readonly InteractionSettled[],
  ) {
    this.#core = core;
    this.#elsewhere = elsewhere;
    this.#events = events;
    this.#claims = claims;
    this.#room = maxText - EVENT_FRAME;
    for (const { request_id, answer_id, client_id, outcome } of kept) {
      if (answer_id === undefined || client_id === undefined) continue;
      this.#counted.set(JSON.stringify([client_id, request_id, answer_id]), {
        outcome: outcome as Counted["outcome"],
      });
    }
  }

  /**
   * Counts an answer. The first reply says all that is told of the settlement (P-XAN-2), a repeated one its outcome.
   *
   * @throws WireError that says why the answer does not count.
   */
  answer(params: AnswerParams, from: Answerer): Counted {
    const { request_id, answer_id } = params;
    const key = JSON.stringify([from.recipientId, request_id, answer_id]);
    const first = this.#counted.get(key) ?? this.#refused.get(key);
    const reply = first ?? this.#read(params, from);
    if (first === undefined && request_id.length <= MAX_ID) {
      if (reply instanceof WireError) this.#refused.set(key, reply);
      else this.#counted.set(key, { outcome: reply.outcome, ...(reply.open && { open: true }) });
    }
    if (reply instanceof WireError) throw reply;
    return reply;
  }

  /**
   * A person has begun to answer (P-XDL-3), or goes on with what they have taken (P-XCM-1).
   *
   * @throws WireError that says why that does not count.
   */
  touch(requestId: string, { recipientId, person }: Answerer): void {
    this.#refuseOthers(requestId, person);
    const refusal = this.#core.touch(requestId, recipientId);
    if (refusal !== undefined) throw this.#error(requestId, refusal);
    this.#claims.renew(requestId, holderId(person.principal, recipientId));
  }

  /**
   * A person takes a request, unless somebody else has it (P-XCM-1). Whoever asks need not have been sent it.
   *
   * @param ms the time for which it is taken. Default: two minutes.
   * @throws WireError that says why it cannot be taken.
   */
  claim(requestId: string, holder: Holder, ms?: number): HeldClaim {
    this.#refuseUnlessPersons(requestId);
    this.#refuseOthers(requestId, holder.person());
    this.#refuseNobody(requestId, holder.person());
    return this.#claims.take(requestId, holder, ms);
  }

  /**
   * The person gives a request back (P-XCM-2).
   *
   * @param id the id of the holder.
   * @throws WireError where there is no such request.
   */
  unclaim(requestId: string, id: string): void {
    this.#refuseUnlessPersons(requestId);
    this.#claims.giveBack(requestId, id);
  }

  /**
   * The client cannot show a request that it was sent, or no longer can (P-XAN-9).
   *
   * @throws WireError that says why that does not count.
   */
  release(requestId: string, recipientId: string, reason: ReleaseReason, message?: string): void {
    this.openFor(requestId, recipientId);
    this.#core.fail(requestId, recipientId, reason, message);
  }

  /**
   * The open question or approval of this id, which a client was shown.
   *
   * @throws WireError that says why there is none.
   */
  openFor(requestId: string, recipientId: string): PersonRequest {
    const found = this.#core.find(requestId, recipientId);
    if ("code" in found) throw this.#error(requestId, found);
    if (isForClient(found)) throw byItsReply(found);
    return found;
  }

  /** @throws WireError where the request is for others (P-XTO-3). */
  #refuseOthers(requestId: string, person: PersonWithRoles): void {
    const found = this.#core.find(requestId);
    const why = "code" in found || isForClient(found) ? undefined : notForThem(found, person);
    if (why !== undefined) throw new WireError("NotAllowed", why);
  }

  /** @throws WireError where nobody is known to take an exclusive request: all of their answers would be refused. */
  #refuseNobody(requestId: string, { principal }: PersonWithRoles): void {
    const found = this.#core.find(requestId);
    if (principal !== undefined || "code" in found || isForClient(found)) return;
    if (found.addressing?.exclusive !== true) return;
    const why = "the request is exclusive, and the server does not know who you are";
    throw new WireError("NotAllowed", `${why}: come with a token of your own to take it`);
  }

  #refuseUnlessPersons(requestId: string): void {
    const found = this.#core.find(requestId);
    if ("code" in found) throw this.#error(requestId, found);
    if (isForClient(found)) throw byItsReply(found);
  }

  #read(params: AnswerParams, from: Answerer): Reply {
    const { request_id } = params;
    const claimed = claims(params, from.shows.relay);
    if (claimed !== undefined) return new WireError("NotAllowed", claimed);
    const others = this.#forOthers(request_id, from);
    if (others !== undefined) return others;
    const found = this.#core.find(request_id, from.recipientId);
    if ("code" in found) return this.#error(request_id, found);
    if (isForClient(found)) return byItsReply(found);
    const kept = withKeptText(found, params);
    const message = { answer_id: params.answer_id, client_id: from.recipientId };
    const quorum = found.kind === "approval" ? found.quorum : undefined;
    const counted = quorum?.repeated(message);
    if (counted !== undefined) return repeatedVote(counted);
    const denied = deniedOf(found, kept, from);
    if (denied !== undefined) return answerNotAllowed(denied);
    const issues = answerIssues(askedOf(found, from.shows), kept, from.shows);
    if (issues.length > 0) return invalidAnswer(issues);
    const settlement = settlementOf(found, kept, from);
    // The end of an approval of several has the words of all.
    const room = Math.floor(this.#room / (1 + (quorum?.needed ?? 0)));
    if (wordsOf(kept) > SHORT && jsonText(settlement).length > room) {
      const why = `expected at most ${room} characters, as every client is told of it`;
      return new WireError("InvalidParams", `Invalid parameters for method \`answer\`: ${why}`);
    }
    if (isOtherChoice(found, settlement)) return otherChoice();
    const isAwaited = found.keeper !== undefined || quorum !== undefined;
    const read = isAwaited ? { ...settlement, message } : settlement;
    const settled = found.settle(read as Settlement<never>);
    // A later attempt is not to be told the same: it is read anew.
    if (!settled) throw new NotKept("answer");
    if (!found.resolved) return this.#vote(found, read, from);
    const { outcome = settlement.outcome, answer: response } = found;
    const marks = this.#events.marksOf(request_id);
    if (marks === undefined) return { outcome };
    return { outcome, kind: found.kind, ...(response !== undefined && { response }), ...marks };
  }

  /** The reply to an approval that waits for those of others: whoever gave it is done (P-XQU-3). */
  #vote(
    request: PersonRequest,
    { outcome }: Settlement<unknown>,
    { person, recipientId }: Answerer,
  ): Counted {
    this.#claims.giveBack(request.id, holderId(person.principal, recipientId));
    const { approved_by } = givenApprovals(request);
    return { outcome: { ...outcome, approved_by }, open: true } as Counted;
  }

  /** The refusal of an answer that others than this client may give now (P-XTO-3, P-XTO-5). */
  #forOthers(requestId: string, { person, recipientId }: Answerer): WireError | undefined {
    const found = this.#core.find(requestId);
    if ("code" in found || isForClient(found) || found.addressing === undefined) return undefined;
    const others = notForThem(found, person);
    if (others !== undefined) return new WireError("NotAllowed", others);
    const taken = takenByAnother(found, holderId(person.principal, recipientId), this.#claims);
    return taken === undefined ? undefined : answerTaken(taken);
  }

  #error(requestId: string, refusal: AnswerRefusal): WireError {
    switch (refusal.code) {
      case "already_resolved": {
        const { outcome } = refusal;
        return new WireError("AlreadyResolved", `the request is settled already: ${outcome.status}`, {
          data: { outcome },
        });
      }
      case "not_allowed":
        return new WireError("NotAllowed", "the request was not sent to this client");
      case "unknown_request":
        return this.#elsewhere(requestId)
          ? new WireError("SessionMismatch", "the request belongs to another session")
          : new WireError("UnknownRequest", "there is no such request, or it was settled long ago");
    }
  }
}

/** The characters of the person's own words; images are longer than any words. */
function wordsOf({ outcome: { note = "" }, items = [], feedback = "", edited = "" }: AnswerParams): number {
  let length = note.length + feedback.length + edited.length;
  for (const { own_text = "", note = "", attachments = [] } of items) {
    length += own_text.length + note.length;
    if (attachments.length > 0) return Number.POSITIVE_INFINITY;
  }
  return length;
}

const byItsReply = ({ kind }: ClientRequest) =>
  new WireError("NotAllowed", `a ${kind} is answered by its reply`);

/** The claim of a client that only the server may state. */
function claims({ outcome }: AnswerParams, relay = false): string | undefined {
  const kept = ["by", "client", "principal", "at", ...(relay ? [] : ["degraded"])];
  const own = kept.find((member) => Object.hasOwn(outcome, member));
  if (own !== undefined) return `outcome.${own} is the server's to say`;
  if ((statedStatuses as readonly string[]).includes(outcome.status)) return undefined;
  const stated = statedStatuses.map((status) => `"${status}"`).join(" or ");
  const why = `outcome.status: expected ${stated}`;
  if (Object.hasOwn(outcomeReasons, outcome.status)) return `${why}: the others are the server's to say`;
  throw new WireError("InvalidParams", `Invalid parameters for method \`answer\`: ${why}`);
}

/** The part of an answer that the role of its client does not allow (P-XRL-6). */
function deniedOf(request: PersonRequest, params: AnswerParams, { may }: Answerer): string | undefined {
  const { outcome, items, response = "reject", edited } = params;
  if (request.kind === "question" || outcome.status !== "answered") return undefined;
  const { options, words, edit } = request;
  const id = params.option ?? items?.[0]?.selected[0];
  const option = options?.find((each) => each.id === id) ?? words?.[response];
  const allows = option === undefined ? (id ?? response) !== "reject" : option.kind === "allow";
  const lasts = option === undefined ? response === "approve_for_session" : isLasting(option.scope);
  if (allows && !may("approve")) return "an approval is for other clients";
  if (lasts && !may("approve_scope")) return "an answer beyond this call is for other clients";
  const isChanged = edited !== undefined && edited !== edit?.content;
  return isChanged && !may("edit") ? "`edited` is for other clients" : undefined;
}

/** True for an approval of several people in which this one is not what the others chose (P-XQU-2). */
const isOtherChoice = (request: PersonRequest, settlement: Settlement<unknown>): boolean =>
  request.kind === "approval" && request.quorum?.differs(settlement as Settlement<ApprovalAnswer>) === true;

const otherChoice = () =>
  invalidAnswer([
    {
      question_id: null,
      code: "other_choice",
      message: "others have approved another option, or another text: choose the same, or reject",
    },
  ]);

/** The reply to an approval that counted before, and changes nothing now (P-XAN-5). */
const repeatedVote = ({ name, connection, principal, at, note }: Approver): Counted => ({
  outcome: {
    ...{ status: "answered", by: "human", client: { name, connection }, principal: { ...principal }, at },
    ...(note !== undefined && { note }),
  },
  open: true,
});

function invalidAnswer(issues: AnswerIssue[]): WireError {
  const [first] = issues;
  const more = issues.length > 1 ? `, and ${issues.length - 1} more` : "";
  return new WireError("InvalidAnswer", `the answer does not fit: ${first?.message}${more}`, {
    data: { issues },
  });
}

/** The answer with what an editor dropped of the changed text (P-XAO-9). A text too long is refused as it is. */
function withKeptText(request: PersonRequest, params: AnswerParams): AnswerParams {
  const edit = request.kind === "approval" ? request.edit : undefined;
  if (edit === undefined || params.edited === undefined || params.edited.length > edit.max_length)
    return params;
  return { ...params, edited: keptText(edit.content, params.edited) };
}

/** A request in the form in which a client was sent it (P-XAO-5). */
function askedOf(request: PersonRequest, shows: AllowedFeatures): AnswerableRequest {
  if (request.kind === "question") return request;
  const { edit } = request;
  const options = optionsFor(request, shows);
  if (options === undefined && edit === undefined) return request;
  if (shows.approval_options) return { kind: "approval", options, edit };
  const question = questionFor(request, shows);
  return question === undefined ? { kind: "approval", edit } : { kind: "question", questions: [question] };
}

/** The settlement by an answer without issues. */
function settlementOf(
  request: PersonRequest,
  params: AnswerParams,
  { client, person: { principal }, shows }: Answerer,
): Settlement<unknown> {
  const { status, reason = "dismissed", note, degraded: further = [] } = params.outcome;
  const { items = [] } = params;
  const base = {
    by: "human" as const,
    client,
    ...(principal !== undefined && { principal }),
    ...(note !== undefined && { note }),
  };
  if (status === "declined") {
    const declined = reason === "discuss" ? "discuss" : "dismissed";
    return { outcome: outcomeNow("declined", { ...base, reason: declined }) };
  }
  if (request.kind === "approval") {
    const degraded = [...approvalDegradations(request, { askwire: shows }), ...further];
    const outcome = outcomeNow("answered", { ...base, ...(degraded.length > 0 && { degraded }) });
    return { outcome, answer: approvalAnswer(request, params) };
  }
  const lost = degradations(request.questions, request.deadline !== undefined, { askwire: shows });
  const degraded = [...lost, ...further];
  return {
    outcome: outcomeNow("answered", { ...base, ...(degraded.length > 0 && { degraded }) }),
    answer: {
      ...request.answerOf(inOrder(request, items)),
      ...(shows.relay && params.answers && { answers: params.answers }),
    },
  };
}

/** The decision by an answer without issues. */
function approvalAnswer(
  request: ApprovalRequest,
  { response = "reject", option, items, feedback, edited }: AnswerParams,
): ApprovalAnswer {
  if (option !== undefined) {
    // Options that stand for the base profile's words are named as these (P-XRL-6).
    return request.options === undefined
      ? request.answerInWords(option as ApprovalKind, feedback)
      : request.answerBy(request.option(option), feedback, edited);
  }
  const item = items?.[0];
  const byItem = item && request.answerByItem(item);
  return byItem ?? request.answerInWords(response, feedback, edited);
}

/** The items in the order of the questions, as a base client's are. */
const inOrder = ({ questions }: PersonRequest & { kind: "question" }, items: readonly AnswerItem[]) =>
  items.length === 1
    ? items
    : questions.flatMap(({ id }) => items.filter(({ question_id }) => question_id === id));
