import type { Call, ClientMethods, Marks, Peer, RequestResponse, RequestType } from "@askwire/protocol";
import { repliedId } from "../profiles/base-profile.js";
import type { ClientName, Profile } from "../profiles/profile.js";
import type { AnyInteraction, InteractionCore } from "../requests/core.js";
import type { Misfit } from "../requests/question-request.js";
import { Cells } from "../runtime/cells.js";
import type { Log } from "../runtime/log.js";
import { wireIds } from "./wire-ids.js";

export interface PutRequestsOptions {
  /** The id of the connection, for the log. */
  readonly connection: string;
  readonly peer: Peer<ClientMethods>;
  /** The session whose open requests these are. */
  readonly session: { readonly core: InteractionCore };
  /** The id that the core knows the client by. */
  readonly recipientId: string;
  /** The name of the client, at this moment. */
  readonly client: () => ClientName;
  readonly profile: Profile;
  readonly log: Log;
}

export interface PutRequests {
  /**
   * Puts a request to the client and hands its word to the core, which decides whether it counts (P-ID-2). False if the
   * request cannot be sent, and the client was taken off it.
   *
   * @param marks the members next to the request. Default: none.
   */
  put(request: AnyInteraction, marks?: Marks): boolean;
  /** Stops awaiting an answer. `tell` is set if the client is told too. */
  settled(request: AnyInteraction, tell: boolean): void;
}

/** The number of times that an answer that does not fit is asked again (P-XFL-9). */
const MOST_REPEATS = 3;

/** The repeat of a question whose answer did not fit. */
interface Repeat {
  /** From 1. */
  readonly number: number;
  readonly misfit: Misfit;
}

/** The requests that one client has. */
export function putRequests(options: PutRequestsOptions): PutRequests {
  const { connection, peer, session, recipientId, client, profile, log } = options;
  const calls = new Cells<Call>();
  const ids = wireIds();

  function ask(request: AnyInteraction, marks: Marks | undefined, repeat?: Repeat): Call {
    const wireId = repeat === undefined ? ids.take(request) : `${request.id}#${repeat.number + 1}`;
    const { type, payload } = profile.request(request, wireId, repeat?.misfit);
    let call: Call | undefined;
    try {
      call = peer.ask(
        "request",
        type,
        payload,
        wireId,
        (reply) => {
          // A request that was put again has another call.
          if (call === undefined || calls.get(request.id) !== call) return;
          calls.delete(request.id);
          ids.free(wireId);
          if (reply.ok) replied(request, wireId, reply.value, repeat);
          else failed(request, reply.error);
        },
        marks,
      );
      return call;
    } catch (error) {
      ids.free(wireId);
      throw error;
    }
  }

  function replied(
    request: AnyInteraction,
    wireId: string,
    response: RequestResponse<RequestType>,
    repeat: Repeat | undefined,
  ): void {
    const named = repliedId(response);
    if (named !== wireId) log.warn({ connection, request: named }, "answered with another request_id");
    let misfit: Misfit | undefined;
    const read = () => {
      const word = profile.reply(request, response, client());
      if (!("issues" in word)) return word;
      misfit = word;
      return undefined;
    };
    const refusal = session.core.answer(request.id, recipientId, read);
    if (refusal !== undefined) log.warn({ connection, request: request.id, refusal }, "late answer");
    if (misfit !== undefined) askAgain(request, { number: (repeat?.number ?? 0) + 1, misfit });
  }

  function askAgain(request: AnyInteraction, repeat: Repeat): void {
    const { issues, said } = repeat.misfit;
    log.warn({ connection, request: request.id, issues }, "an answer does not fit");
    if (repeat.number > MOST_REPEATS) {
      return session.core.fail(request.id, recipientId, "protocol_error", said);
    }
    try {
      calls.set(request.id, ask(request, undefined, repeat));
    } catch (error) {
      failed(request, error);
    }
  }

  function failed(request: AnyInteraction, error: unknown): void {
    const word = profile.failure(request, error, client());
    if (word === undefined) return;
    const details = "reason" in word ? { failure: word } : { word };
    log.warn({ connection, request: request.id, ...details }, "a request failed at the client");
    if ("reason" in word) session.core.fail(request.id, recipientId, word.reason, word.note);
    else session.core.answer(request.id, recipientId, () => word);
  }

  return {
    put(request, marks) {
      try {
        calls.set(request.id, ask(request, marks));
        return true;
      } catch (error) {
        failed(request, error);
        return false;
      }
    },
    settled(request, tell) {
      const call = calls.take(request.id);
      if (tell) call?.cancel();
      else call?.forget();
    },
  };
}
