import type {
  Outcome,
  OutcomeReason,
  RequestPayloadInput,
  RequestResponse,
  RequestType,
} from "@askwire/protocol";
import type { AnyInteraction } from "../requests/core.js";
import type { Settlement } from "../requests/interaction.js";

/** Who answers. */
export type ClientName = NonNullable<Outcome["client"]>;

/** A request as it is sent. */
export type WireRequestInput = {
  [T in RequestType]: { readonly type: T; readonly payload: RequestPayloadInput<T> };
}[RequestType];

/** A client could not take a request: another one may. */
export interface Failure {
  readonly reason: OutcomeReason<"unavailable">;
  readonly note: string;
}

/** The words in which requests are put to a client and its replies are read. */
export interface Profile {
  /** A request as it is sent; `id` is its JSON-RPC id, which the payload repeats. */
  request(request: AnyInteraction, id: string): WireRequestInput;
  /** What a reply means; undefined: the client has the request, and its answer comes by itself. */
  reply(
    request: AnyInteraction,
    response: RequestResponse<RequestType>,
    client: ClientName,
  ): Settlement<unknown> | Failure | undefined;
  /** What an error instead of a reply means; undefined where the client is gone, which the core is told of by itself. */
  failure(
    request: AnyInteraction,
    error: unknown,
    client: ClientName,
  ): Settlement<unknown> | Failure | undefined;
}
