import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { closeCodes, WireError } from "@askwire/protocol";
import type { WebSocket } from "ws";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import type { AskwireServer } from "../server/server.js";
import type { TakeOver } from "../server/take-over.js";
import type { Session } from "../session/session.js";
import { HeldMessages } from "./held-messages.js";
import { Links } from "./links.js";
import { isOfNode, type LinkedVisitor, linkedVisitor, type Nodes, namedPlace } from "./nodes.js";
import type { Visitor } from "./secrets.js";

export interface NodeDoorOptions {
  /** The server of a tenant; undefined for one that is not served here. */
  readonly serverOf: (tenant: string | undefined) => Pick<AskwireServer, "sessions" | "takeOver"> | undefined;
  readonly nodes: Nodes;
  readonly heartbeatMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** A client that was let in, before it is known which node has its session. */
export interface NewClient {
  readonly webSocket: WebSocket;
  /** The session of its address, where that names one. */
  readonly sessionId: string | undefined;
  readonly visitor: Visitor;
}

/** The ways in for a client that is served by this node. */
export interface WaysIn {
  /** Lets it into a session that is open here. */
  readonly into: (session: Session, held: HeldMessages) => void;
  /** Lets it in as a server alone does. */
  readonly here: (held: HeldMessages) => void;
  readonly away: (code: number, why: string, held: HeldMessages) => void;
}

/** The refusal of a link. */
export interface RefusedLink {
  readonly status: 403 | 404 | 409;
  readonly why: string;
}

/** The door of a node: clients of sessions of other nodes are passed on, and sessions that no node has are taken. */
export class NodeDoor {
  readonly #options: NodeDoorOptions;
  readonly #links: Links;
  readonly #nodeId = randomUUID();

  constructor(options: NodeDoorOptions) {
    this.#options = options;
    this.#links = new Links(options.nodes, { ...options, nodeId: this.#nodeId });
  }

  /** Lets a client in at the node that has the session which its address, or its first message, names (P-NOD-1). */
  async letIn({ webSocket, sessionId, visitor }: NewClient, ways: WaysIn): Promise<void> {
    const held = new HeldMessages(webSocket);
    const first = await held.first;
    // Nothing is opened for one that left without a word.
    if (first === undefined) return;
    const named = first.isBinary ? undefined : namedPlace(String(first.data));
    const id = sessionId ?? named?.id;
    // One that names another session than its address is refused as ever.
    const isOne = id !== undefined && (named?.id ?? id) === id;
    const resumes = named?.resumes === true;
    const { role } = visitor;
    const away = (why: string) => ways.away(closeCodes.TryAgain, why, held);
    try {
      const way = isOne
        ? await this.#wayTo(id, { role, resumes, isAddressed: sessionId !== undefined }, visitor.tenant)
        : "here";
      if (webSocket.readyState !== webSocket.OPEN) return;
      if (way === "here" || id === undefined) ways.here(held);
      else if (way === "again") away("the session moves to another node: come again");
      else if (typeof way === "string")
        this.#links.pass({ webSocket, visitor, sessionId: id, resumes, held }, way);
      else ways.into(way, held);
    } catch (error) {
      const { log } = this.#options;
      log.warn({ session: id, error: String(error) }, "a client cannot be let in now");
      away("the session cannot be opened now: come again");
    }
  }

  /** The session that a link of another node is for, opened where nobody has it. A link is never passed on (P-NOD-4). */
  async linked(id: string, { from, role, resumes, tenant }: LinkedVisitor): Promise<Session | undefined> {
    const { serverOf, log } = this.#options;
    const wanted = { role, resumes, isAddressed: true };
    let why = "nobody has it";
    try {
      const server = serverOf(tenant);
      const session = server?.sessions.get(id) ?? (await server?.takeOver(id, wanted));
      if (session !== undefined) return session;
    } catch (error) {
      why = String(error);
    }
    const details = { session: id, from, why };
    log.warn(details, "a client of a session that is not here was passed on: has another node this address?");
    return undefined;
  }

  /** The client that another node passes on, or the refusal of what is no link. */
  visitorOf(request: IncomingMessage): LinkedVisitor | RefusedLink {
    const { nodes, log } = this.#options;
    if (!isOfNode(nodes, request)) {
      const from = request.socket.remoteAddress;
      log.warn({ from }, "a link without the secret of the nodes was refused: give all nodes the same one");
      return { status: 403, why: "the secret of the nodes is missing or wrong" };
    }
    const visitor = linkedVisitor(request);
    if (visitor === undefined) return { status: 403, why: "the link says in no way for whom it is" };
    if (visitor.from === this.#nodeId)
      return { status: 404, why: "this is the node that asks: give each node an address of its own" };
    if (this.#options.serverOf(visitor.tenant) !== undefined) return visitor;
    return { status: 409, why: "the tenant of the client is not served here" };
  }

  close(): void {
    this.#links.close();
  }

  /** The session where it is or can be here, the address of the node that has it, or what to do without either. */
  async #wayTo(
    id: string,
    wanted: TakeOver,
    tenant: string | undefined,
  ): Promise<Session | string | "here" | "again"> {
    const { serverOf, nodes } = this.#options;
    const server = serverOf(tenant);
    const ownerOf = () => nodes.ownerOf(id, tenant || undefined);
    const there = server?.sessions.get(id) ?? (await ownerOf());
    if (there !== undefined) return there;
    try {
      // Nothing is kept yet of one that another node has just taken.
      return (await server?.takeOver(id, wanted)) ?? (await ownerOf()) ?? "here";
    } catch (error) {
      if (!(error instanceof WireError && error.is("InvalidState"))) throw error;
      // Another node was quicker, or has no address.
      return (await ownerOf()) ?? (wanted.resumes ? "again" : "here");
    }
  }
}
