import { type AskParams, type AskResult, type In, type Outcome, WireError } from "@askwire/protocol";
import { jsonText } from "@askwire/protocol/internal";
import type { SettledAsk } from "../journal/unsettled.js";
import type { ClientName } from "../profiles/profile.js";
import { outcomeNow, type Settlement } from "../requests/interaction.js";
import { type QuestionAnswer, QuestionRequest } from "../requests/question-request.js";
import { questionsDigest } from "../requests/questions-digest.js";

/** The program that asks. */
export interface Asker {
  /** The id of the client for the core. */
  readonly recipientId: string;
  readonly client: ClientName;
}

/** The reply to an ask. */
export type AskReply = In<typeof AskResult>;

/** An ask as the program that calls it sees it. */
export interface Asked {
  /** The reply at this moment; without an outcome while the questions are open. */
  readonly reply: AskReply;
  /** Calls the listener with the reply, once the questions are settled. Returns what takes the listener away. */
  onSettled(listener: (reply: AskReply) => void): () => void;
  /** Withdraws the questions (P-XAK-5). */
  withdraw(): void;
}

export interface AsksOptions {
  /** Opens a request in the session, beside its turns. */
  readonly open: (request: QuestionRequest) => void;
  /** The asks of earlier processes, oldest first. */
  readonly kept: readonly SettledAsk[];
}

interface OpenAsk {
  readonly request: QuestionRequest;
  readonly digest: string;
  /** Told of the end; each belongs to a connection that waits. */
  readonly listeners: Set<(reply: AskReply) => void>;
}

interface RememberedAsk {
  readonly digest: string;
  readonly reply: AskReply;
  /** UTF-16 units of the reply. */
  readonly size: number;
}

/** Settled asks that are remembered, and UTF-16 units of their replies. */
const REMEMBERED = 256;
const REMEMBERED_UNITS = 16 * 1024 * 1024;

/** The questions that connected programs ask the people of a session, by their keys (P-XAK-1 to P-XAK-8). */
export class Asks {
  readonly #open: AsksOptions["open"];
  /** By key. The core bounds the number of open requests (P-INT-8). */
  readonly #asked = new Map<string, OpenAsk>();
  /** By key, oldest first. */
  readonly #settled = new Map<string, RememberedAsk>();
  /** The keys of restored asks that are bound to a client which has not come back yet. */
  readonly #left = new Set<string>();
  #units = 0;

  constructor({ open, kept }: AsksOptions) {
    this.#open = open;
    for (const ask of kept) this.#remember(ask.key, ask.digest, ask.request_id, ask);
  }

  /**
   * Asks, or finds the ask of an earlier call with the key.
   *
   * @throws WireError InvalidParams for questions that do not fit or are others than those of the key, UnknownRequest
   * for a key without questions that nothing is known of.
   */
  ask(params: AskParams, from: Asker): Asked {
    const { key } = params;
    const request = params.questions === undefined ? undefined : requestOf(params, from);
    const digest = request && questionsDigest(request);
    const known = this.#asked.get(key) ?? this.#settled.get(key);
    this.#left.delete(key);
    if (known === undefined) {
      if (request === undefined || digest === undefined) throw unknownKey();
      return this.#begin(key, { request, digest, listeners: new Set() });
    }
    if (digest !== undefined && digest !== known.digest) {
      throw invalid("key: other questions were asked under it: expected the same ones, or another key");
    }
    return "reply" in known ? settledAsk(known.reply) : openAsk(known);
  }

  /** A client does not come back: its asks that were bound to it are withdrawn (P-XAK-6). */
  lost(recipientId: string): void {
    for (const { request } of [...this.#asked.values()]) {
      if (request.program?.bound === recipientId) request.settle(withdrawn("the program that asked is gone"));
    }
  }

  /** Goes on with questions that an earlier process left open, and that the core has already (P-XAK-8). */
  restore(request: QuestionRequest, digest: string): void {
    const { key = "", bound } = request.program ?? {};
    if (bound !== undefined) this.#left.add(key);
    this.#follow(key, { request, digest, listeners: new Set() });
  }

  /** Withdraws the restored questions whose program was to stay for them, and did not come back. */
  giveUpLeft(): void {
    for (const key of this.#left)
      this.#asked.get(key)?.request.settle(withdrawn("the program that asked is gone"));
    this.#left.clear();
  }

  #begin(key: string, ask: OpenAsk): Asked {
    this.#asked.set(key, ask);
    this.#open(ask.request);
    const ended = this.#follow(key, ask);
    return ended === undefined ? openAsk(ask) : settledAsk(ended);
  }

  /** Waits for the end of an ask, and gives it where that has come. */
  #follow(key: string, ask: OpenAsk): AskReply | undefined {
    const { request, digest, listeners } = ask;
    this.#asked.set(key, ask);
    let ended: AskReply | undefined;
    // After the core, so that every client hears of the settlement before the program.
    request.onSettled((settlement) => {
      this.#asked.delete(key);
      this.#left.delete(key);
      ended = this.#remember(key, digest, request.id, settlement);
      for (const listener of listeners) listener(ended);
    });
    return ended;
  }

  /** An end that nobody decided leaves the key free: whoever asks again asks anew (P-XAK-4). */
  #remember(
    key: string,
    digest: string,
    request_id: string,
    settlement: Settlement<QuestionAnswer>,
  ): AskReply {
    const reply = replyOf(request_id, settlement);
    if (!isDecided(settlement.outcome)) return reply;
    const size = jsonText(reply).length;
    this.#settled.delete(key);
    this.#settled.set(key, { digest, reply, size });
    this.#units += size;
    for (const [oldest, { size: units }] of this.#settled) {
      if (oldest === key || (this.#settled.size <= REMEMBERED && this.#units <= REMEMBERED_UNITS)) break;
      this.#settled.delete(oldest);
      this.#units -= units;
    }
    return reply;
  }
}

/** True for an end by a person, a clock or the program itself. */
const isDecided = ({ status, reason }: Outcome): boolean =>
  status !== "unavailable" && reason !== "shutdown" && reason !== "session_closed";

function requestOf(
  { key, questions = [], deadline, here = false, on_lost = "keep" }: AskParams,
  { recipientId, client: by }: Asker,
): QuestionRequest {
  try {
    return new QuestionRequest({
      tool_call_id: `ask:${key}`,
      questions,
      ...(deadline !== undefined && { deadline }),
      program: {
        ...{ key, by },
        ...(!here && { unasked: recipientId }),
        ...(on_lost === "withdraw" && { bound: recipientId }),
      },
    });
  } catch (error) {
    if (error instanceof TypeError) throw invalid(error.message);
    throw error;
  }
}

function openAsk({ request, listeners }: OpenAsk): Asked {
  return {
    reply: { request_id: request.id },
    onSettled(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    withdraw: () => void request.settle(withdrawn("the program withdrew it")),
  };
}

const settledAsk = (reply: AskReply): Asked => ({
  reply,
  onSettled(listener) {
    listener(reply);
    return () => {};
  },
  withdraw() {},
});

const replyOf = (request_id: string, { outcome, answer }: Settlement<QuestionAnswer>): AskReply => ({
  request_id,
  outcome,
  ...(answer !== undefined && { answers: { ...answer.answers }, items: [...answer.items] }),
});

const withdrawn = (note: string) => ({
  outcome: outcomeNow("withdrawn", { reason: "agent", by: "system", note }),
});

const invalid = (why: string) =>
  new WireError("InvalidParams", `Invalid parameters for method \`ask\`: ${why}`);

const unknownKey = () =>
  new WireError("UnknownRequest", "nothing was asked under this key, or it was settled long ago");
