import { closeCodes, SUBPROTOCOL } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import { WebSocket } from "ws";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { Heartbeat } from "./heartbeat.js";
import { linkHeaders, type Nodes } from "./nodes.js";
import { type PassedMessage, passOn } from "./pipe.js";
import type { Visitor } from "./secrets.js";

/** The time for a node to take a link, in milliseconds. */
const ANSWER_MS = 5_000;

export interface LinkOptions {
  readonly heartbeatMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** A client whose session another node has. */
export interface PassedClient {
  readonly webSocket: WebSocket;
  readonly visitor: Visitor;
  readonly sessionId: string;
  /** The messages that it has sent already. */
  readonly held: readonly PassedMessage[];
}

/** The links of a node to others, one for each client that it passes on. */
export class Links {
  readonly #nodes: Nodes;
  readonly #log: Log;
  readonly #open = new Set<WebSocket>();
  readonly #heartbeat: Heartbeat;

  constructor(nodes: Nodes, { heartbeatMs, clock, log }: LinkOptions) {
    this.#nodes = nodes;
    this.#log = log;
    this.#heartbeat = new Heartbeat(this.#open, heartbeatMs, clock);
  }

  /** Passes a client on to the node at an address. Nothing more of it is read before that node has taken the link. */
  pass({ webSocket: client, visitor, sessionId, held }: PassedClient, address: string): void {
    client.pause();
    const node = new WebSocket(`${address}/link/${encodeURIComponent(sessionId)}`, [SUBPROTOCOL], {
      headers: linkHeaders(this.#nodes, visitor),
      perMessageDeflate: false,
      handshakeTimeout: ANSWER_MS,
      maxPayload: 0,
    });
    let failure = "it ended the connection";
    node.on("error", (error) => {
      failure = errorText(error);
    });
    const left = () => node.terminate();
    const refused = () => {
      client.off("close", left);
      this.#log.warn({ session: sessionId, node: address, error: failure }, "a client cannot be passed on");
      client.resume();
      client.close(closeCodes.TryAgain, "the session's node does not answer: come again");
    };
    client.once("close", left);
    node.once("close", refused);
    node.once("open", () => {
      client.off("close", left);
      node.off("close", refused);
      this.#open.add(node);
      node.once("close", () => this.#open.delete(node));
      this.#heartbeat.hear(node);
      passOn(client, node, held);
      client.resume();
    });
  }

  /** Ends the looks at nodes that say nothing. The links end with their clients. */
  close(): void {
    this.#heartbeat.stop();
  }
}
