import { type AskParams, type AskResult, type In, type Outcome, WireError } from "@askwire/protocol";
import { defined, jsonText } from "@askwire/protocol/internal";
import type { SettledAsk } from "../journal/left-asks.js";
import type { ClientName } from "../profiles/profile.js";
import { type AddressingInit, addressingOf } from "../requests/addressing.js";
import type { ApprovalAnswer } from "../requests/approval-answer.js";
import type { ApprovalScopeInit } from "../requests/approval-options.js";
import { type ApprovalEditInit, ApprovalRequest } from "../requests/approval-request.js";
import { askDigest } from "../requests/ask-digest.js";
import { type AskingProgram, knownOrigin } from "../requests/asking-program.js";
import type { PersonRequest } from "../requests/core.js";
import { outcomeNow, type Settlement } from "../requests/interaction.js";
import { type QuestionAnswer, QuestionRequest } from "../requests/question-request.js";
import { withAllWords } from "../requests/quorum.js";
import type { Clock } from "../runtime/clock.js";

/** The program that asks. */
export interface Asker {
  /** The id of the client for the core. */
  readonly recipientId: string;
  readonly client: ClientName;
}

/** The end of the request of an ask. */
type AskSettlement = Settlement<QuestionAnswer | ApprovalAnswer>;

/** The reply to an ask. */
export type AskReply = In<typeof AskResult>;

/** An ask as the program that calls it sees it. */
export interface RunningAsk {
  /** The reply at this moment; without an outcome while the request is open. */
  readonly reply: AskReply;
  /** Calls the listener with the reply, once the request is settled. Returns what takes the listener away. */
  onSettled(listener: (reply: AskReply) => void): () => void;
  /** Withdraws the request (P-XAK-5). */
  withdraw(): void;
}

export interface AsksOptions {
  /** Opens a request in the session, beside its turns. */
  readonly open: (request: PersonRequest) => void;
  /** Another number of calls waits for an open request than before. */
  readonly changed: (request: PersonRequest) => void;
  readonly clock: Pick<Clock, "now">;
  /** The asks of earlier processes, oldest first. */
  readonly kept: readonly SettledAsk[];
}

type AskedEdit = NonNullable<NonNullable<AskParams["approval"]>["edit"]>;

interface OpenAsk {
  readonly request: PersonRequest;
  readonly digest: string;
  /** Told of the end; each belongs to a connection that waits. */
  readonly listeners: Set<(reply: AskReply) => void>;
  /** The calls that wait, by the id of their client. */
  readonly calls: Map<string, number>;
}

interface RememberedAsk {
  readonly digest: string;
  readonly reply: AskReply;
  /** UTF-16 units of the reply. */
  readonly size: number;
  /** The time of the end, in milliseconds since 1970. */
  readonly at: number;
  /** True once a program has had the outcome. */
  isFetched: boolean;
}

/** Settled asks that are remembered, and UTF-16 units of their replies. */
const REMEMBERED = 256;
const REMEMBERED_UNITS = 16 * 1024 * 1024;
/** The time for which a settled ask is remembered, in milliseconds: an old yes must not answer a new question. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;

/**
 * The questions and approvals that connected programs put to the people of a session, by their keys (P-XAK-1 to P-XAK-8,
 * P-XAK-10, P-XAK-11).
 */
export class Asks {
  readonly #open: AsksOptions["open"];
  readonly #changed: AsksOptions["changed"];
  readonly #clock: AsksOptions["clock"];
  /** By key. The core bounds the number of open requests (P-INT-8). */
  readonly #asked = new Map<string, OpenAsk>();
  /** By key, oldest first. */
  readonly #settled = new Map<string, RememberedAsk>();
  /** The keys of restored asks that are bound to a client which has not come back yet. */
  readonly #left = new Set<string>();
  #units = 0;

  constructor({ open, changed, clock, kept }: AsksOptions) {
    this.#open = open;
    this.#changed = changed;
    this.#clock = clock;
    for (const ask of kept) this.#remember(ask.key, ask.digest, ask.request_id, ask, false);
  }

  /**
   * Asks, or finds the ask of an earlier call with the key.
   *
   * @throws WireError InvalidParams for questions or an approval that do not fit or are others than those of the key,
   * UnknownRequest for a key without either that nothing is known of.
   */
  ask(params: AskParams, from: Asker): RunningAsk {
    const { key } = params;
    const request = requestOf(params, from);
    const digest = request && askDigest(request);
    this.#forgetOld();
    const known = this.#asked.get(key) ?? this.#settled.get(key);
    this.#left.delete(key);
    if (known === undefined || (request !== undefined && isTakenBack(known))) {
      if (request === undefined || digest === undefined) throw unknownKey();
      this.#forget(key);
      return this.#begin(key, { request, digest, listeners: new Set(), calls: waitingCalls(params, from) });
    }
    if (digest !== undefined && digest !== known.digest) {
      const other = params.to === undefined ? "other questions" : "other questions, or other people,";
      throw invalid(
        params.approval === undefined
          ? `key: ${other} were asked under it: expected the same ones, or another key`
          : "key: something else was asked under it: expected the same approval, or another key",
      );
    }
    if ("reply" in known) {
      known.isFetched = true;
      return settledAsk(known.reply);
    }
    for (const [client, calls] of waitingCalls(params, from)) this.#count(known, client, calls);
    return openAsk(known);
  }

  /** A client does not come back: its asks that were bound to it are withdrawn (P-XAK-6). */
  lost(recipientId: string): void {
    for (const asked of [...this.#asked.values()]) {
      const { request } = asked;
      if (request.program?.bound === recipientId) request.settle(withdrawn("the program that asked is gone"));
      else this.#count(asked, recipientId, 0);
    }
  }

  /** Goes on with a request that an earlier process left open, and that the core has already (P-XAK-8). */
  restore(request: PersonRequest, digest: string): void {
    const { key = "", bound } = request.program ?? {};
    if (bound !== undefined) this.#left.add(key);
    this.#follow(key, { request, digest, listeners: new Set(), calls: new Map() });
  }

  /** Withdraws the restored requests whose program was to stay for them, and did not come back. */
  giveUpLeft(): void {
    for (const key of this.#left)
      this.#asked.get(key)?.request.settle(withdrawn("the program that asked is gone"));
    this.#left.clear();
  }

  #begin(key: string, ask: OpenAsk): RunningAsk {
    this.#asked.set(key, ask);
    this.#open(ask.request);
    const ended = this.#follow(key, ask);
    if (ended !== undefined) return settledAsk(ended);
    for (const [client, calls] of ask.calls) this.#count(ask, client, calls);
    return openAsk(ask);
  }

  /** Waits for the end of an ask, and gives it where that has come. */
  #follow(key: string, ask: OpenAsk): AskReply | undefined {
    const { request, digest, listeners } = ask;
    this.#asked.set(key, ask);
    let ended: AskReply | undefined;
    // After the core, so that every client hears of the settlement before the program.
    request.onSettled((settlement: AskSettlement) => {
      this.#asked.delete(key);
      this.#left.delete(key);
      ended = this.#remember(key, digest, request.id, settlement, listeners.size > 0);
      for (const listener of listeners) listener(ended);
    });
    return ended;
  }

  /** An end that nobody decided leaves the key free: whoever asks again asks anew (P-XAK-4). */
  #remember(
    key: string,
    digest: string,
    request_id: string,
    settlement: AskSettlement,
    isFetched: boolean,
  ): AskReply {
    const reply = replyOf(request_id, settlement);
    if (!isDecided(settlement.outcome)) return reply;
    const size = jsonText(reply).length;
    this.#forget(key);
    this.#settled.set(key, { digest, reply, size, at: Date.parse(settlement.outcome.at), isFetched });
    this.#units += size;
    this.#forgetOld();
    // Outcomes that no program has fetched go last.
    for (const fetched of [true, false]) {
      for (const [oldest, ask] of this.#settled) {
        if (this.#settled.size <= REMEMBERED && this.#units <= REMEMBERED_UNITS) return reply;
        if (oldest !== key && ask.isFetched === fetched) this.#forget(oldest);
      }
    }
    return reply;
  }

  /** Settled asks are in the order of their ends. */
  #forgetOld(): void {
    const since = this.#clock.now() - REMEMBERED_MS;
    for (const [key, { at }] of this.#settled) {
      if (at >= since) break;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#units -= this.#settled.get(key)?.size ?? 0;
    this.#settled.delete(key);
  }

  /** Takes the number of calls of a client that wait, and tells where the sum has changed from or to several. */
  #count({ request, calls }: OpenAsk, client: string, waiting: number): void {
    if (waiting === 0) calls.delete(client);
    else calls.set(client, waiting);
    const { program } = request;
    const sum = [...calls.values()].reduce((all, some) => all + some, 0);
    if (program === undefined || sum === (program.calls ?? Math.min(sum, 1))) return;
    program.calls = sum;
    this.#changed(request);
  }
}

/** The calls of an ask, by their client. */
const waitingCalls = ({ calls, wait }: AskParams, { recipientId }: Asker): Map<string, number> =>
  calls === undefined && wait === false ? new Map() : new Map([[recipientId, calls ?? 1]]);

/** True for what its program withdrew: sent again, it is asked anew (P-XAK-4). */
const isTakenBack = (known: OpenAsk | RememberedAsk): boolean =>
  "reply" in known && known.reply.outcome?.status === "withdrawn";

/** True for an end by a person, a clock or the program itself. */
const isDecided = ({ status, reason }: Outcome): boolean =>
  status !== "unavailable" && reason !== "shutdown" && reason !== "session_closed";

/** The request that an ask puts to people; undefined for one that comes back for an outcome. */
function requestOf(params: AskParams, from: Asker): PersonRequest | undefined {
  const { questions, approval, deadline } = params;
  if (approval === undefined) return questions && fitting("", () => questionOf(params, from));
  if (questions !== undefined) throw invalid("approval: expected questions or an approval, not both");
  if (deadline !== undefined) throw invalid("deadline: an approval has none");
  fitting("", () => addressingOf(addressedTo(params)));
  return fitting("approval.", () => approvalOf(params, approval, from));
}

function questionOf(params: AskParams, from: Asker): QuestionRequest {
  const { key, questions = [], deadline } = params;
  return new QuestionRequest({
    tool_call_id: callOf(key),
    questions,
    // A later client may say more of a deadline than this server knows.
    ...(deadline !== undefined && { deadline: { ms: deadline.ms, on_expiry: deadline.on_expiry } }),
    program: programOf(params, from),
    ...addressedTo(params),
  });
}

/** The approval of a program, without what a later client may say more of it. */
function approvalOf(
  params: AskParams,
  approval: NonNullable<AskParams["approval"]>,
  from: Asker,
): ApprovalRequest {
  const {
    action,
    description,
    display = [],
    options,
    for_session,
    edit,
    person_only = false,
    quorum,
  } = approval;
  const { sender = from.client.name } = approval;
  return new ApprovalRequest({
    tool_call_id: callOf(params.key),
    ...{ sender, action, description, display, for_session, person_only, quorum },
    options: options?.map(({ id, label, kind, scope }) => ({
      id,
      label,
      kind,
      scope: scope && scopeOf(scope),
    })),
    edit: edit && editOf(edit),
    program: programOf(params, from),
    ...addressedTo(params),
  });
}

const scopeOf = ({ kind, value, text }: ApprovalScopeInit): ApprovalScopeInit => ({ kind, value, text });

const editOf = ({ content, path, language, max_length }: AskedEdit): ApprovalEditInit => ({
  ...{ content, path, language },
  ...(max_length !== undefined && { max_length }),
});

const addressedTo = ({ to, exclusive, escalate }: AskParams): AddressingInit =>
  defined({ to, exclusive, escalate });

const callOf = (key: string) => `ask:${key}`;

const programOf = (
  { key, origin, here = false, on_lost = "keep" }: AskParams,
  { recipientId, client: by }: Asker,
): AskingProgram => ({
  ...{ key, by, origin: origin && knownOrigin(origin) },
  ...(!here && { unasked: recipientId }),
  ...(on_lost === "withdraw" && { bound: recipientId }),
});

/** Makes a request; what does not fit is refused with its place. */
function fitting<R>(place: string, make: () => R): R {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError) throw invalid(`${place}${error.message}`);
    throw error;
  }
}

function openAsk({ request, listeners }: OpenAsk): RunningAsk {
  return {
    reply: { request_id: request.id },
    onSettled(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    withdraw: () => void request.settle(withdrawn("the program withdrew it")),
  };
}

const settledAsk = (reply: AskReply): RunningAsk => ({
  reply,
  onSettled(listener) {
    listener(reply);
    return () => {};
  },
  withdraw() {},
});

const replyOf = (request_id: string, { outcome, answer }: AskSettlement): AskReply => ({
  request_id,
  outcome,
  ...(answer !== undefined &&
    ("response" in answer ? decisionOf(withAllWords(answer, outcome)) : itemsOf(answer))),
});

const itemsOf = ({ answers, items }: QuestionAnswer) => ({ answers: { ...answers }, items: [...items] });

const decisionOf = ({ response, feedback, option, edited }: ApprovalAnswer) => ({
  response,
  ...defined({ option, feedback: feedback === "" ? undefined : feedback, edited }),
});

const withdrawn = (note: string) => ({
  outcome: outcomeNow("withdrawn", { reason: "agent", by: "system", note }),
});

const invalid = (why: string) =>
  new WireError("InvalidParams", `Invalid parameters for method \`ask\`: ${why}`);

const unknownKey = () =>
  new WireError(
    "UnknownRequest",
    "nothing was asked under this key, or it was settled long ago: give questions or an approval to ask",
  );
