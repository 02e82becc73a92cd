import type { Call, Marks, Principal, RequestResponse, RequestType } from "@askwire/protocol";
import { repliedId } from "../profiles/base-profile.js";
import type { Profile } from "../profiles/profile.js";
import type { AnyInteraction } from "../requests/core.js";
import type { Settlement } from "../requests/interaction.js";
import type { Misfit } from "../requests/question-request.js";
import { Cells } from "../runtime/cells.js";
import type { ConnectionParts } from "./client-side.js";
import { WireIds } from "./wire-ids.js";

/** The number of times that an answer that does not fit is asked again (P-XFL-9). */
const MOST_REPEATS = 3;

/** The repeat of a question whose answer did not fit. */
interface Repeat {
  /** From 1. */
  readonly number: number;
  readonly misfit: Misfit;
}

/** The requests that one client has. */
export class PutRequests {
  readonly #line: ConnectionParts;
  readonly #recipientId: string;
  readonly #profile: Profile;
  readonly #calls = new Cells<Call>();
  readonly #ids = new WireIds();

  /** @param recipientId the id that the core knows the client by. */
  constructor(line: ConnectionParts, recipientId: string, profile: Profile) {
    this.#line = line;
    this.#recipientId = recipientId;
    this.#profile = profile;
  }

  /**
   * Puts a request to the client and hands its word to the core, which decides whether it counts (P-ID-2). False if the
   * request cannot be sent, and the client was taken off it.
   *
   * @param marks the members next to the request. Default: none.
   */
  put(request: AnyInteraction, marks?: Marks): boolean {
    try {
      this.#calls.set(request.id, this.#ask(request, marks));
      return true;
    } catch (error) {
      this.#failed(request, error);
      return false;
    }
  }

  /** Stops awaiting an answer. `tell` is set if the client is told too. */
  settled(request: AnyInteraction, tell: boolean): void {
    const call = this.#calls.take(request.id);
    if (tell) call?.cancel();
    else call?.forget();
  }

  #ask(request: AnyInteraction, marks: Marks | undefined, repeat?: Repeat): Call {
    const wireId = repeat === undefined ? this.#ids.take(request) : `${request.id}#${repeat.number + 1}`;
    const { type, payload } = this.#profile.request(request, wireId, repeat?.misfit);
    let call: Call | undefined;
    try {
      call = this.#line.peer.ask(
        "request",
        type,
        payload,
        wireId,
        (reply) => {
          // A request that was put again has another call.
          if (call === undefined || this.#calls.get(request.id) !== call) return;
          this.#calls.delete(request.id);
          this.#ids.free(wireId);
          if (reply.ok) this.#replied(request, wireId, reply.value, repeat);
          else this.#failed(request, reply.error);
        },
        marks,
      );
      return call;
    } catch (error) {
      this.#ids.free(wireId);
      throw error;
    }
  }

  #replied(
    request: AnyInteraction,
    wireId: string,
    response: RequestResponse<RequestType>,
    repeat: Repeat | undefined,
  ): void {
    const { connection, session, client, principal, log } = this.#line;
    const named = repliedId(response);
    if (named !== wireId) log.warn({ connection, request: named }, "answered with another request_id");
    let misfit: Misfit | undefined;
    const read = () => {
      const word = this.#profile.reply(request, response, client());
      if (!("issues" in word)) return signed(word, principal);
      misfit = word;
      return undefined;
    };
    const refusal = session.core.answer(request.id, this.#recipientId, read);
    if (refusal !== undefined) log.warn({ connection, request: request.id, refusal }, "late answer");
    if (misfit !== undefined) this.#askAgain(request, { number: (repeat?.number ?? 0) + 1, misfit });
  }

  #askAgain(request: AnyInteraction, repeat: Repeat): void {
    const { connection, session, log } = this.#line;
    const { issues, said } = repeat.misfit;
    log.warn({ connection, request: request.id, issues }, "an answer does not fit");
    if (repeat.number > MOST_REPEATS) {
      return session.core.fail(request.id, this.#recipientId, "protocol_error", said);
    }
    try {
      this.#calls.set(request.id, this.#ask(request, undefined, repeat));
    } catch (error) {
      this.#failed(request, error);
    }
  }

  #failed(request: AnyInteraction, error: unknown): void {
    const { connection, session, client, principal, log } = this.#line;
    const word = this.#profile.failure(request, error, client());
    if (word === undefined) return;
    const details = "reason" in word ? { failure: word } : { word };
    log.warn({ connection, request: request.id, ...details }, "a request failed at the client");
    if ("reason" in word) session.core.fail(request.id, this.#recipientId, word.reason, word.note);
    else session.core.answer(request.id, this.#recipientId, () => signed(word, principal));
  }
}

/** A settlement in the name of the person that the client was let in as (P-WHO-3). */
const signed = <A>(word: Settlement<A>, principal: Principal | undefined): Settlement<A> =>
  principal === undefined ? word : { ...word, outcome: { ...word.outcome, principal } };
