import type { Call, ClientMethods, Marks, Peer, RequestResponse, RequestType } from "@askwire/protocol";
import { repliedId } from "../profiles/base-profile.js";
import type { ClientName, Profile } from "../profiles/profile.js";
import type { AnyInteraction, InteractionCore } from "../requests/core.js";
import { Cells } from "../runtime/cells.js";
import type { Log } from "../runtime/log.js";
import { wireIds } from "./wire-ids.js";

/** One client, as requests are put to it; what it is changes when it introduces itself. */
export interface PutTo {
  readonly peer: Peer<ClientMethods>;
  /** The open requests of the session that it is in. */
  readonly core: () => InteractionCore;
  /** What the core knows it by. */
  recipientId: string;
  client: ClientName;
  profile: Profile;
  /** What stands beside a request; undefined: nothing. */
  marks: (() => Marks) | undefined;
}

export interface PutRequests {
  /** Puts a request to the client and hands its word to the core, which decides whether it counts (P-ID-2). */
  put(request: AnyInteraction): void;
  /** No answer is awaited any more. Whether the client is told that too. */
  settled(request: AnyInteraction, tell: boolean): void;
}

/**
 * The requests that are before one client.
 *
 * @param connection the id of its connection, for the log.
 */
export function putRequests(connection: string, to: PutTo, log: Log): PutRequests {
  const calls = new Cells<Call>();
  const ids = wireIds();

  function ask(request: AnyInteraction): Call {
    const { peer, profile } = to;
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
        to.marks?.(),
      );
    } catch (error) {
      ids.free(wireId);
      throw error;
    }
  }

  function replied(request: AnyInteraction, wireId: string, response: RequestResponse<RequestType>): void {
    const named = repliedId(response);
    if (named !== wireId) log.warn({ connection, request: named }, "answered with another request_id");
    const word = to.profile.reply(request, response, to.client);
    if (word === undefined) return;
    if ("reason" in word) return taken(request, word);
    const refusal = to.core().answer(request.id, to.recipientId, () => word);
    if (refusal !== undefined) log.warn({ connection, request: request.id, refusal }, "late answer");
  }

  function failed(request: AnyInteraction, error: unknown): void {
    const word = to.profile.failure(request, error, to.client);
    if (word === undefined) return;
    if ("reason" in word) return taken(request, word);
    log.warn({ connection, request: request.id, word }, "a request failed at the client");
    to.core().answer(request.id, to.recipientId, () => word);
  }

  /** The client is taken off the request. */
  function taken(
    request: AnyInteraction,
    failure: { reason: Parameters<InteractionCore["fail"]>[2]; note: string },
  ): void {
    log.warn({ connection, request: request.id, failure }, "a request failed at the client");
    to.core().fail(request.id, to.recipientId, failure.reason, failure.note);
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
      const call = calls.take(request.id);
      if (tell) call?.cancel();
      else call?.forget();
    },
  };
}
