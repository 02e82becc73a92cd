import type {
  Outcome,
  OutcomeReason,
  RequestPayloadInput,
  RequestResponse,
  RequestType,
} from "@askwire/protocol";
import type { AnyInteraction } from "../requests/core.js";
import type { Settlement } from "../requests/interaction.js";
import type { Misfit } from "../requests/question-request.js";

/** The client that answers. */
export type ClientName = NonNullable<Outcome["client"]>;

/** A request as sent. */
export type WireRequestInput = {
  [T in RequestType]: { readonly type: T; readonly payload: RequestPayloadInput<T> };
}[RequestType];

/** A client could not take a request: another one may. */
export interface RequestFailure {
  readonly reason: OutcomeReason<"unavailable">;
  readonly note: string;
}

/** The words in which requests are put to a client and its replies are read. */
export interface Profile {
  /**
   * Writes a request; `id` is its JSON-RPC id, repeated by the payload.
   *
   * @param misfit the answer that was not taken, if it is asked again.
   */
  request(request: AnyInteraction, id: string, misfit?: Misfit): WireRequestInput;
  /** Reads a reply. A misfit is asked again. */
  reply(
    request: AnyInteraction,
    response: RequestResponse<RequestType>,
    client: ClientName,
  ): Settlement<unknown> | Misfit;
  /** Reads an error instead of a reply; undefined for a lost client, which the core learns of by itself. */
  failure(
    request: AnyInteraction,
    error: unknown,
    client: ClientName,
  ): Settlement<unknown> | RequestFailure | undefined;
}
