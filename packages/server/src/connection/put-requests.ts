import type { Call, ClientMethods, Marks, Peer, RequestResponse, RequestType } from "@askwire/protocol";
import { repliedId } from "../profiles/base-profile.js";
import type { ClientName, Profile } from "../profiles/profile.js";
import type { AnyInteraction, InteractionCore } from "../requests/core.js";
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
  /** The members beside a request. Default: none. */
  readonly marks?: () => Marks;
  readonly log: Log;
}

export interface PutRequests {
  /** Puts a request to the client and hands its word to the core, which decides whether it counts (P-ID-2). */
  put(request: AnyInteraction): void;
  /** No answer is awaited any more. Whether the client is told that too. */
  settled(request: AnyInteraction, tell: boolean): void;
}

/** The requests that are before one client. */
export function putRequests(options: PutRequestsOptions): PutRequests {
  const { connection, peer, session, recipientId, client, profile, marks, log } = options;
  const calls = new Map<string, Call>();
  const ids = wireIds();

  function ask(request: AnyInteraction): Call {
    const wireId = ids.take(request);
    const { type, payload } = profile.request(request, wireId);
    try {
      return peer.ask(
        "request",
        type,
        payload,
        wireId,
        (reply) => {
          if (!calls.delete(request.id)) return;
          ids.free(wireId);
          if (reply.ok) replied(request, wireId, reply.value);
          else failed(request, reply.error);
        },
        marks?.(),
      );
    } catch (error) {
      ids.free(wireId);
      throw error;
    }
  }

  function replied(request: AnyInteraction, wireId: string, response: RequestResponse<RequestType>): void {
    const named = repliedId(response);
    if (named !== wireId) log.warn({ connection, request: named }, "answered with another request_id");
    const word = profile.reply(request, response, client());
    if (word === undefined) return;
    if ("reason" in word) return taken(request, word);
    const refusal = session.core.answer(request.id, recipientId, () => word);
    if (refusal !== undefined) log.warn({ connection, request: request.id, refusal }, "late answer");
  }

  function failed(request: AnyInteraction, error: unknown): void {
    const word = profile.failure(request, error, client());
    if (word === undefined) return;
    if ("reason" in word) return taken(request, word);
    log.warn({ connection, request: request.id, word }, "a request failed at the client");
    session.core.answer(request.id, recipientId, () => word);
  }

  /** The client is taken off the request. */
  function taken(
    request: AnyInteraction,
    failure: { reason: Parameters<InteractionCore["fail"]>[2]; note: string },
  ): void {
    log.warn({ connection, request: request.id, failure }, "a request failed at the client");
    session.core.fail(request.id, recipientId, failure.reason, failure.note);
  }

  return {
    put(request) {
      try {
        calls.set(request.id, ask(request));
      } catch (error) {
        failed(request, error);
      }
    },
    settled(request, tell) {
      const call = calls.get(request.id);
      calls.delete(request.id);
      if (tell) call?.cancel();
      else call?.forget();
    },
  };
}
