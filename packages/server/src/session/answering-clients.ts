import type { ActingClient, AnsweringClient, ClaimTime } from "@askwire/protocol";
import { type HeldClaim, holderId } from "../requests/request-claims.js";

/** A client that others may be told of. */
interface NamedClient {
  readonly id: string;
  name?(): ActingClient;
}

interface AnsweringParts {
  /** The ids of the clients that answer and tell it. */
  readonly ids: readonly string[];
  /** The claim on the request; undefined without one. */
  readonly claim: HeldClaim | undefined;
  /** The clients of the session. */
  readonly clients: Iterable<NamedClient>;
  /** Tells the time of the claim. */
  readonly timeOf: (claim: HeldClaim) => ClaimTime;
}

/**
 * The clients whose persons answer a request, with the one who has taken it (P-XST-5, P-XCM-4). A holder is named by a
 * client of theirs that answers, else by the one that took it: others of theirs, such as a program that asks, say nothing.
 */
export function answeringClients({ ids, claim, clients, timeOf }: AnsweringParts): AnsweringClient[] {
  const all = [...clients];
  const answering = ids.flatMap((id) => all.find((client) => client.id === id) ?? []);
  if (claim === undefined) return answering.flatMap((client) => client.name?.() ?? []);
  const { id, by } = claim.holder;
  const isHolders = (client: NamedClient) => {
    const name = client.name?.();
    return name !== undefined && holderId(name.principal, client.id) === id;
  };
  const holding = answering.find(isHolders)?.name?.() ?? by;
  const others = answering.flatMap((client) => (isHolders(client) ? [] : (client.name?.() ?? [])));
  return [{ ...holding, claim: timeOf(claim) }, ...others];
}
