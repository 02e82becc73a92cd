import type { Check, CheckContext, CheckFailure, Circumstances } from "../../contract/check.js";
import { ConnectedContext } from "../gateway/connections.js";
import type { GatewayClient } from "../gateway/gateway-line.js";
import { type Joined, joinSession, person } from "../gateway/joined.js";
import type { RefusedUpgrade } from "../gateway/web-socket.js";

/** The tools of a check of several nodes, which run already. Nodes are counted from 0, and 2 of two is the first. */
export interface ClusterContext extends CheckContext {
  /** The number of nodes. */
  readonly size: number;
  /** Attaches to a session at a node; without an id to a new one, which ends with the check. */
  join(node: number, params?: object, sessionId?: string): Promise<Joined>;
  /** Connects to no session at a node. */
  connect(node: number): Promise<GatewayClient>;
  /** Connects to a session at a node with another token. */
  knock(node: number, sessionId: string, token: string): Promise<GatewayClient | RefusedUpgrade>;
  /** The first output of a node that no client could read. */
  readonly violation: CheckFailure | undefined;
}

export type ClusterCheck = Check<ClusterContext>;

/** @param addresses `ws://<host>:<port>/wire#<token>` of each node. */
export async function openClusterContext(
  addresses: readonly string[],
  circumstances: Circumstances,
): Promise<ClusterContext> {
  return new RunningNodes(addresses, circumstances);
}

/** Nodes that somebody else has started, and the sessions that a check makes there. */
class RunningNodes extends ConnectedContext implements ClusterContext {
  readonly #addresses: readonly string[];
  readonly #made: string[] = [];

  constructor(addresses: readonly string[], circumstances: Circumstances) {
    super(circumstances);
    this.#addresses = addresses;
  }

  get size() {
    return this.#addresses.length;
  }

  async join(node: number, params: object = person("ann"), sessionId?: string): Promise<Joined> {
    const joined = await joinSession(this.#at(node, sessionId), params);
    if (sessionId === undefined) this.#made.push(joined.session.id);
    return joined;
  }

  connect(node: number): Promise<GatewayClient> {
    return this.#at(node).connect();
  }

  knock(node: number, sessionId: string, token: string): Promise<GatewayClient | RefusedUpgrade> {
    const [bare] = this.#addressOf(node, sessionId).split("#");
    return this.connections.knock(`${bare}#${token}`);
  }

  async close(): Promise<void> {
    // The sessions of a check end with it, also where it has failed.
    await Promise.all(this.#made.map((id) => this.#end(id).catch(() => {})));
    this.connections.close();
  }

  async #end(id: string): Promise<void> {
    const { client } = await joinSession(this.#at(0, id), person("conformance"));
    await client.call("close_session", { session_id: id });
  }

  #at(node: number, sessionId?: string) {
    return { connect: () => this.connections.connect(this.#addressOf(node, sessionId)) };
  }

  #addressOf(node: number, sessionId?: string): string {
    const address = this.#addresses[node % this.size] ?? "";
    return address.replace(/\/wire(?=#|$)/, sessionId === undefined ? "/wire" : `/wire/${sessionId}`);
  }
}
