import { closeCodes, SUBPROTOCOL } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import { WebSocket } from "ws";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { Heartbeat } from "./heartbeat.js";
import type { HeldMessages } from "./held-messages.js";
import { linkHeaders, type Nodes } from "./nodes.js";
import { pipeFrames } from "./pipe.js";
import type { Visitor } from "./secrets.js";

/** The time for a node to take a link, in milliseconds. */
const ANSWER_MS = 5_000;
/** The longest interval of the pings by which a node that says nothing is noticed, in milliseconds. */
const LINK_HEARTBEAT_MS = 5_000;

export interface LinkOptions {
  readonly heartbeatMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** The id of this node for others. */
  readonly nodeId: string;
}

/** A client whose session another node has. */
export interface PassedClient {
  readonly webSocket: WebSocket;
  readonly visitor: Visitor;
  readonly sessionId: string;
  readonly resumes: boolean;
  readonly held: HeldMessages;
}

/** The links of a node to others, one for each client that it passes on. */
export class Links {
  readonly #nodes: Nodes;
  readonly #options: LinkOptions;
  readonly #open = new Set<WebSocket>();
  readonly #heartbeat: Heartbeat;

  constructor(nodes: Nodes, options: LinkOptions) {
    this.#nodes = nodes;
    this.#options = options;
    const everyMs = Math.min(options.heartbeatMs, LINK_HEARTBEAT_MS);
    this.#heartbeat = new Heartbeat(this.#open, everyMs, options.clock);
  }

  /**
   * Passes a client on to the node at an address. Nothing more of it is read before that node has taken the link; one that
   * does not take it in 5 s, and its client, are told to come again (P-NOD-4).
   */
  pass({ webSocket: client, visitor, sessionId, resumes, held }: PassedClient, address: string): void {
    client.pause();
    const node = new WebSocket(`${address}/link/${encodeURIComponent(sessionId)}`, [SUBPROTOCOL], {
      headers: linkHeaders(this.#nodes, visitor, { from: this.#options.nodeId, resumes }),
      perMessageDeflate: false,
      handshakeTimeout: ANSWER_MS,
      maxPayload: 0,
    });
    let failure = "it ended the connection";
    node.on("error", (error) => {
      failure = whyNot(errorText(error));
    });
    const left = () => node.terminate();
    const refused = () => {
      client.off("close", left);
      held.take();
      this.#options.log.warn(
        { session: sessionId, node: address, error: failure },
        "a client cannot be passed on",
      );
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
      pipeFrames(client, node, held);
      client.resume();
    });
  }

  /** Ends the looks at nodes that say nothing. The links end with their clients. */
  close(): void {
    this.#heartbeat.stop();
  }
}

/** The statuses with which a node refuses a link, each with the next step. */
const refusals: Readonly<Record<string, string>> = {
  403: "it does not know this node's link secret: give all nodes the same one",
  404: "no other node is at its address: give each node an address of its own, at which the others reach it",
  409: "it does not serve the client's tenant: name the same tenants at all nodes",
  429: "it was sent too many wrong secrets: give all nodes the same link secret, and wait a minute",
};

const whyNot = (error: string): string => refusals[/server response: (\d+)/.exec(error)?.[1] ?? ""] ?? error;
