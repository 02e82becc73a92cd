import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  type ClientRole,
  clientRoles,
  closeCodes,
  defaultLimits,
  SUBPROTOCOL,
  WireError,
} from "@askwire/protocol";
import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import { type WebSocket, WebSocketServer } from "ws";
import { type Clock, systemClock } from "../runtime/clock.js";
import { type Log, standardErrorLog } from "../runtime/log.js";
import type { AskwireServer, SessionThere } from "../server/server.js";
import type { Session } from "../session/session.js";
import type { Devices } from "./devices.js";
import { Heartbeat } from "./heartbeat.js";
import type { HeldMessages } from "./held-messages.js";
import type { NamedTokens } from "./named-tokens.js";
import { NodeDoor } from "./node-door.js";
import { type Nodes, nodesRules } from "./nodes.js";
import { exactOrigins, foreignRequest, type OriginRules, urlHost } from "./origin.js";
import { revocable, Secrets, type Visitor } from "./secrets.js";
import { checkTenants, type Tenants } from "./tenants.js";
import { createTokenGuard, type TokenGuard } from "./token.js";
import type { TrustedHeader } from "./trusted-header.js";
import { refuse, turnAway } from "./turned-away.js";
import { boundUnfinished, type UnfinishedMessages } from "./unfinished-messages.js";
import { type Admission, Visitors } from "./visitors.js";
import { WebSocketChannel } from "./web-socket-channel.js";

/** The rules for clients over WebSocket, and the bounds of a connection. */
export interface WebSocketOptions {
  /** The secret of the clients: at least 22 characters of base64url, else a TypeError. Default: 32 random bytes. */
  readonly token?: string;
  /**
   * The secret of clients that may only answer, as strong as `token` and another; true makes one (P-XRL-1). Default: no
   * client is let in so.
   */
  readonly answerToken?: string | true;
  /** Hosts besides the loopback names that clients may reach this server by, without port. Default: none. */
  readonly allowHosts?: readonly string[];
  /** Origins besides the server's own from which browsers may connect, such as `https://app.example`. Default: none. */
  readonly allowOrigins?: readonly string[];
  /** The devices that connect with their own tokens (P-DEV-1). Default: none. */
  readonly devices?: Devices;
  /** The tokens of persons (P-WHO-4). Default: none. */
  readonly tokens?: NamedTokens;
  /** The name of who connects from this machine with `token` (P-WHO-3). Default: nobody is named. */
  readonly owner?: string;
  /** The header by which a proxy says who somebody is, and the proxy's addresses (P-WHO-5). Default: none. */
  readonly trustHeader?: TrustedHeader;
  /**
   * Says who asks without another credential, by what the program knows, such as a cookie (P-WHO-3). Undefined refuses
   * the connection, and so do an exception and a person that does not fit. Default: nobody is let in so.
   */
  readonly authenticate?: (request: IncomingMessage) => Admission | undefined;
  /**
   * The other nodes of the same store: a client of a session that one of them has is passed on to it (P-NOD-1). Default:
   * none.
   */
  readonly nodes?: Nodes;
  /**
   * The servers of tenants, such as companies or teams, by their names (P-TEN-1): at most 100, of small letters, digits, `-`
   * and `_`. Tokens of persons, `trustHeader` and `authenticate` say whose tenant somebody is of. They are not closed with
   * the gateway. Default: none.
   */
  readonly tenants?: Tenants;
  /** The most connections at a time. A further connection is closed with 4413. Default: 1,000. */
  readonly maxConnections?: number;
  /** Bytes that a client may leave unread before it is closed with 4408. Default: 4 MiB. */
  readonly unsentBytes?: number;
  /** The most bytes of a frame. A longer frame closes its connection with 1009. Default: 32 MiB. */
  readonly inboundBytes?: number;
  /**
   * The memory for unfinished messages of all connections together, in bytes (P-LIM-6). Above it the largest connection
   * is closed with 1013. Default: 64 MiB, or twice `inboundBytes` if that is more.
   */
  readonly unfinishedBytes?: number;
  /** The time for which requests for a lost client alone stay open, in milliseconds. Default: 30,000. */
  readonly graceMs?: number;
  /** The interval of pings, in milliseconds. A client without an answer by the next ping is cut. Default: 30,000. */
  readonly heartbeatMs?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: pino on standard error, from `warn` on. */
  readonly log?: Log;
}

/** The rules for {@link WebSocketOptions}. */
export const webSocketRules: OptionRules<WebSocketOptions> = {
  token: option.text,
  answerToken: {
    expected: "a string or true",
    fits: (value) => typeof value === "string" || value === true,
  },
  allowHosts: option.texts,
  allowOrigins: option.texts,
  devices: option.object,
  tokens: option.having("an object with match and watchRevoked", "match", "watchRevoked"),
  owner: option.text,
  trustHeader: option.of<TrustedHeader>({
    header: option.required(option.text),
    from: option.required(option.texts),
    role: option.oneOf(Object.keys(clientRoles)),
    groupsHeader: option.text,
    tenantHeader: option.text,
  }),
  authenticate: option.callable,
  nodes: option.of<Nodes>(nodesRules),
  tenants: { expected: "a Map of servers by the names of tenants", fits: (value) => value instanceof Map },
  maxConnections: option.whole(0),
  unsentBytes: option.amount,
  inboundBytes: option.amount,
  unfinishedBytes: option.amount,
  graceMs: option.amount,
  heartbeatMs: option.amount,
  clock: option.object,
  log: option.object,
};

/** A server's door for WebSockets: `/wire` makes a session, `/wire/<id>` attaches to one. */
export interface Gateway {
  /** The secret of the clients, given or new. */
  readonly token: string;
  /** The secret of clients that may only answer; undefined for a gateway without such clients. */
  readonly answerToken: string | undefined;
  /**
   * The address of a session, with the token in its fragment, which never leaves a client.
   *
   * @param role `answer` for the address of a client that may only answer. Default: one that may call every method.
   * @throws TypeError for the role `answer` without an `answerToken`.
   */
  address(session: Pick<Session, "id">, role?: ClientRole): string;
  /** Closes every connection with 1012, and the HTTP server if it was made here. The sessions live on. */
  close(): Promise<void>;
}

/**
 * Takes the upgrades to `/wire` of a foreign HTTP or HTTPS server, and leaves other paths to it. Every connection needs
 * the token. A foreign origin or host is refused with 403 (P-SEC-1 to P-SEC-6).
 *
 * @throws TypeError if an option is unknown or does not fit, a token is too weak, two secrets are one, or no proxy can have
 * the address of `trustHeader`.
 */
export function attachWebSocket(
  server: AskwireServer,
  http: Server,
  options: WebSocketOptions = {},
): Gateway {
  checkOptions("attachWebSocket", options, webSocketRules);
  return openGateway(server, http, options).gateway;
}

/** Takes the upgrades as {@link attachWebSocket} does, by options that were checked. */
export function openGateway(
  server: AskwireServer,
  http: Server,
  options: WebSocketOptions,
): { readonly gateway: Gateway; readonly visitors: Visitors } {
  if (options.tenants !== undefined) checkTenants("attachWebSocket", options.tenants, server);
  const secrets = new Secrets(options.token, options.answerToken, options);
  const isClients = [secrets.token, secrets.answerToken].includes(options.nodes?.linkSecret ?? "");
  if (isClients) throw new TypeError("nodes.linkSecret: expected another secret than those of clients");
  const visitors = new Visitors(secrets, options, options.log ?? standardErrorLog());
  const upgrades = new Upgrades(server, http, visitors, options);
  const gateway: Gateway = {
    token: secrets.token,
    answerToken: secrets.answerToken,
    address(session, role) {
      const secret = secrets.ofRole(role);
      const bound = http.address() as AddressInfo | null;
      if (bound === null) throw new TypeError("address: the HTTP server does not listen yet");
      const id = (session as Session | undefined)?.id;
      if (id === undefined)
        throw new TypeError("address: expected a session, as server.createSession() makes");
      const scheme = "setSecureContext" in http ? "wss" : "ws";
      return `${scheme}://${urlHost(bound.address)}:${bound.port}/wire/${id}#${encodeURIComponent(secret)}`;
    },
    close: () => upgrades.close(),
  };
  return { gateway, visitors };
}

/** The longest reason in a close frame: 123 bytes. */
const closeReason = (error: unknown) =>
  Buffer.from((error as Error).message)
    .subarray(0, 120)
    .toString();

/** True for the failure of a store, which is no limit of the server. */
const isOfStore = ({ data }: WireError) => (data as { readonly limit?: string } | null)?.limit === "store";

/** The time for a client to read a goodbye and repeat it, in milliseconds. */
const GOODBYE_MS = 5_000;
/** The time for a goodbye when the server stops. */
const STOP_MS = 1_000;

/** A client that was let in, before it is known where its session is. */
interface Arrival {
  readonly webSocket: WebSocket;
  readonly stream: Socket;
  /** The session of its address, where that names one. */
  readonly sessionId: string | undefined;
  readonly visitor: Visitor;
  /** The messages that it has sent already. Default: none. */
  readonly held?: HeldMessages;
}

/** An upgrade for the client of another node. */
interface LinkedUpgrade {
  readonly head: Buffer;
  /** The id of its session, as the address has it. */
  readonly id: string;
  readonly door: NodeDoor;
}

/** The upgrades of an HTTP server to `/wire`, and the connections that come of them. */
class Upgrades {
  readonly #server: AskwireServer;
  readonly #http: Server;
  readonly #visitors: Visitors;
  readonly #options: WebSocketOptions;
  readonly #clock: Clock;
  readonly #rules: OriginRules;
  readonly #guard: TokenGuard;
  readonly #webSockets: WebSocketServer;
  readonly #unfinished: UnfinishedMessages;
  readonly #heartbeat: Heartbeat;
  readonly #door: NodeDoor | undefined;
  readonly #revocable = new WeakMap<WebSocket, string>();
  readonly #forget: readonly ((() => void) | undefined)[];

  constructor(server: AskwireServer, http: Server, visitors: Visitors, options: WebSocketOptions) {
    const { inboundBytes = defaultLimits.inboundBytes, clock = systemClock, heartbeatMs = 30_000 } = options;
    const { unfinishedBytes = 2 * Math.max(inboundBytes, defaultLimits.inboundBytes) } = options;
    this.#server = server;
    this.#http = http;
    this.#visitors = visitors;
    this.#options = options;
    this.#clock = clock;
    this.#rules = {
      hosts: options.allowHosts ?? [],
      origins: exactOrigins(options.allowOrigins ?? [], "allowOrigins: "),
    };
    this.#guard = createTokenGuard(clock.now);
    this.#webSockets = new WebSocketServer({ ...rulesOfFrames, maxPayload: inboundBytes });
    this.#unfinished = boundUnfinished(unfinishedBytes);
    this.#heartbeat = new Heartbeat(this.#webSockets.clients, heartbeatMs, clock);
    const { nodes, log = standardErrorLog() } = options;
    this.#door =
      nodes && new NodeDoor({ serverOf: (tenant) => this.#serverOf(tenant), nodes, heartbeatMs, clock, log });
    http.on("upgrade", this.#upgrade);
    const { devices, tokens } = options;
    this.#forget = [
      devices?.watchRevoked((id) => this.#revoke(revocable.device(id), "the device was revoked")),
      tokens?.watchRevoked((key) => this.#revoke(revocable.token(key), "the token was revoked or renewed")),
    ];
  }

  /** Closes every connection with 1012, and cuts clients that do not say goodbye. */
  async close(): Promise<void> {
    this.#http.off("upgrade", this.#upgrade);
    this.#heartbeat.stop();
    this.#door?.close();
    for (const forget of this.#forget) forget?.();
    const open = [...this.#webSockets.clients];
    const gone = open.map((webSocket) => new Promise((resolve) => webSocket.once("close", resolve)));
    for (const webSocket of open) webSocket.close(closeCodes.Restart, "the server is stopping");
    const cut = this.#clock.after(STOP_MS, () => {
      for (const webSocket of open) webSocket.terminate();
    });
    await Promise.all(gone);
    cut();
  }

  readonly #upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const path = /^\/wire(?:\/([^/?#]*))?(?:[?#].*)?$/.exec(request.url ?? "");
    if (path === null) {
      const linked = /^\/link\/([^/?#]+)$/.exec(request.url ?? "")?.[1];
      if (linked !== undefined && this.#door !== undefined)
        return this.#linked(request, stream, { head, id: linked, door: this.#door });
      if (this.#http.listenerCount("upgrade") === 1) refuse(stream, 404, "the wire is at /wire");
      return;
    }
    const foreign = foreignRequest(request, this.#rules);
    if (foreign !== undefined) return refuse(stream, 403, foreign);
    const address = request.socket.remoteAddress ?? "";
    const visitor = this.#visitors.visitor(request);
    if (visitor !== undefined && "refused" in visitor) return refuse(stream, 403, visitor.refused);
    if (visitor === undefined && this.#guard.blocked(address))
      return refuse(stream, 429, "too many wrong tokens: wait a minute");

    this.#webSockets.handleUpgrade(request, stream, head, (webSocket) => {
      // Also one that is refused may send broken frames before it is gone.
      webSocket.on("error", ignore);
      if (visitor !== undefined) return this.#letIn(webSocket, stream as Socket, path[1], visitor);
      this.#guard.wrong(address);
      turnAway(webSocket, stream, closeCodes.Token, "the token is missing or wrong");
    });
  };

  /** Takes a link of another node, for a client of a session that this one has or can take (P-NOD-2). */
  #linked(request: IncomingMessage, stream: Duplex, to: LinkedUpgrade): void {
    const address = request.socket.remoteAddress ?? "";
    const visitor = to.door.visitorOf(request);
    if ("status" in visitor) {
      if (this.#guard.blocked(address)) return refuse(stream, 429, "too many wrong tokens: wait a minute");
      if (visitor.status === 403) this.#guard.wrong(address);
      return refuse(stream, visitor.status, visitor.why);
    }
    this.#webSockets.handleUpgrade(request, stream, to.head, (webSocket) => {
      webSocket.on("error", ignore);
      if (this.#isTooMany(webSocket, stream)) return;
      this.#unfinished.watch(webSocket, stream as Socket);
      this.#heartbeat.hear(webSocket);
      // Nothing is read before the session is there.
      webSocket.pause();
      const sessionId = decodedId(to.id);
      void to.door.linked(sessionId, visitor).then((session) => {
        webSocket.resume();
        if (webSocket.readyState !== webSocket.OPEN) return;
        const arrival = { webSocket, stream: stream as Socket, sessionId, visitor };
        if (session !== undefined) return this.#serve(arrival, session);
        turnAway(webSocket, stream, closeCodes.TryAgain, "the session is not here: come again");
      });
    });
  }

  /** The server of a tenant; undefined for one that is not served here (P-TEN-1). */
  #serverOf(tenant: string | undefined): AskwireServer | undefined {
    return tenant === undefined || tenant === "" ? this.#server : this.#options.tenants?.get(tenant);
  }

  /** The server of a client that was let in. */
  #serverFor({ tenant }: Visitor): AskwireServer {
    const server = this.#serverOf(tenant);
    if (server === undefined) throw new Error(`the tenant ${tenant} is not served here`);
    return server;
  }

  /** Turns a client away that is one too many. */
  #isTooMany(webSocket: WebSocket, stream: Duplex): boolean {
    const { maxConnections = 1_000 } = this.#options;
    const isTooMany = this.#webSockets.clients.size > maxConnections;
    if (isTooMany)
      turnAway(webSocket, stream, closeCodes.TooManyConnections, `more than ${maxConnections} connections`);
    return isTooMany;
  }

  #letIn(webSocket: WebSocket, stream: Socket, sessionId: string | undefined, visitor: Visitor): void {
    if (this.#isTooMany(webSocket, stream)) return;
    if (visitor.revocable !== undefined) this.#revocable.set(webSocket, visitor.revocable);
    this.#unfinished.watch(webSocket, stream);
    this.#heartbeat.hear(webSocket);
    const arrival = { webSocket, stream, sessionId, visitor };
    if (this.#door === undefined) return this.#letInHere(arrival);
    void this.#door.letIn(arrival, {
      into: (session, held) => this.#serve({ ...arrival, held }, session),
      here: (held) => this.#letInHere({ ...arrival, held }),
      away: (code, why, held) => sendAway({ ...arrival, held }, code, why),
    });
  }

  #letInHere(arrival: Arrival): void {
    const { webSocket, sessionId, visitor } = arrival;
    const server = this.#serverFor(visitor);
    const there = sessionId === undefined ? () => newSession(server, webSocket) : server.sessionAt(sessionId);
    if (there instanceof Promise) void this.#letInLater(arrival, there);
    else this.#letInto(arrival, there);
  }

  /** Lets a client in once it is known whether its session is kept. Until then nothing of it is read. */
  async #letInLater(arrival: Arrival, finding: Promise<SessionThere>) {
    const { webSocket } = arrival;
    webSocket.pause();
    try {
      const there = await finding;
      if (webSocket.readyState === webSocket.OPEN) this.#letInto(arrival, there);
    } catch (error) {
      sendAway(arrival, closeCodes.Internal, closeReason(error));
    } finally {
      webSocket.resume();
    }
  }

  #letInto(arrival: Arrival, there: SessionThere | (() => Session | Promise<Session>)): void {
    if (there === undefined) return sendAway(arrival, closeCodes.Session, "there is no such session");
    this.#serve(arrival, there);
  }

  #serve(
    { webSocket, stream, visitor, held }: Arrival,
    session: Session | (() => Session | Promise<Session>),
  ): void {
    const { unsentBytes = defaultLimits.unsentBytes, graceMs = 30_000, devices } = this.#options;
    const { isOwner = false, role, principal, roles } = visitor;
    this.#serverFor(visitor).connect(
      new WebSocketChannel(webSocket, stream, unsentBytes, this.#clock, held),
      {
        session,
        graceMs,
        sessionMethods: true,
        ...(role !== undefined && { role }),
        ...(principal !== undefined && { principal }),
        ...(roles !== undefined && { roles }),
        // Revoking a device or a person's token would not take back whom it let in.
        ...(devices?.invite !== undefined && { pairing: isOwner ? devices.invite : "refused" }),
      },
    );
  }

  #revoke(credential: string, why: string): void {
    for (const webSocket of this.#webSockets.clients) {
      if (this.#revocable.get(webSocket) === credential) webSocket.close(closeCodes.Token, why);
    }
  }
}

/** Makes a session for a client. Closes its connection, so that a code of the session's absence comes too late, at the limit of sessions. */
function newSession(server: AskwireServer, webSocket: WebSocket): Session | Promise<Session> {
  const failed = (error: unknown): never => {
    const full = error instanceof WireError && error.is("Overloaded") && !isOfStore(error);
    webSocket.close(full ? closeCodes.TooManyConnections : closeCodes.Internal, closeReason(error));
    throw error;
  };
  try {
    const opening = server.openSession();
    return opening instanceof Promise ? opening.catch(failed) : opening;
  } catch (error) {
    return failed(error);
  }
}

/** Turns a client away whose goodbye is read, also where nothing of it was. */
function sendAway({ webSocket, stream, held }: Arrival, code: number, why: string): void {
  held?.take();
  webSocket.resume();
  turnAway(webSocket, stream, code, why);
}

const rulesOfFrames = {
  noServer: true,
  perMessageDeflate: false,
  closeTimeout: GOODBYE_MS,
  handleProtocols: (offered: Set<string>) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : (false as const)),
};

/** The id in an address; one that cannot be read is no session's. */
function decodedId(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Made once: a listener made for a connection would keep the whole request that it came with. */
const ignore = () => {};
