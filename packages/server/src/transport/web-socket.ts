import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ClientRole, closeCodes, defaultLimits, SUBPROTOCOL, WireError } from "@askwire/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { type Clock, systemClock } from "../runtime/clock.js";
import type { AskwireServer } from "../server/server.js";
import type { Session } from "../session/session.js";
import type { Devices } from "./devices.js";
import { exactOrigins, foreignRequest, urlHost } from "./origin.js";
import { createTokenGuard, newToken, sameToken, sentToken, tokenProblem } from "./token.js";
import { boundUnfinished } from "./unfinished-messages.js";
import { webSocketChannel } from "./web-socket-channel.js";

/** The rules for clients over WebSocket, and the bounds of a connection. */
export interface WebSocketOptions {
  /** The secret of the clients: at least 22 characters of base64url, else a TypeError. Default: 32 random bytes. */
  readonly token?: string;
  /**
   * The secret of clients that may only answer, as strong as `token` and another; true makes one (P-XRL-1). Default: no
   * client is let in so.
   */
  readonly answerToken?: string | true;
  /** Hosts beside the loopback names that clients may reach this server by, without port. Default: none. */
  readonly allowHosts?: readonly string[];
  /** Origins beside the server's own from which browsers may connect, such as `https://app.example`. Default: none. */
  readonly allowOrigins?: readonly string[];
  /** The devices that connect with tokens of their own (P-DEV-1). Default: none. */
  readonly devices?: Devices;
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
}

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
  address(session: Session, role?: ClientRole): string;
  /** Closes every connection with 1012, and the HTTP server if it was made here. The sessions live on. */
  close(): Promise<void>;
}

/**
 * Takes the upgrades to `/wire` of a foreign HTTP or HTTPS server, and leaves other paths to it. Every connection needs
 * the token. A foreign origin or host is refused with 403 (P-SEC-1 to P-SEC-6).
 *
 * @throws TypeError if a token is too weak, or both are one.
 */
export function attachWebSocket(
  server: AskwireServer,
  http: Server,
  options: WebSocketOptions = {},
): Gateway {
  const {
    token = newToken(),
    maxConnections = 1_000,
    unsentBytes = defaultLimits.unsentBytes,
    inboundBytes = defaultLimits.inboundBytes,
    unfinishedBytes = 2 * Math.max(inboundBytes, defaultLimits.inboundBytes),
    graceMs = 30_000,
    heartbeatMs = 30_000,
    devices,
    clock = systemClock,
  } = options;
  const answerToken = options.answerToken === true ? newToken() : options.answerToken;
  for (const [name, secret] of Object.entries({ token, answerToken })) {
    const problem = secret === undefined ? undefined : tokenProblem(secret);
    if (problem !== undefined) throw new TypeError(`${name}: ${problem}`);
  }
  if (token === answerToken) throw new TypeError("answerToken: expected another than the token");
  const rules = {
    hosts: options.allowHosts ?? [],
    origins: exactOrigins(options.allowOrigins ?? [], "allowOrigins: "),
  };
  const guard = createTokenGuard(clock.now);
  const rulesOfFrames = {
    noServer: true,
    perMessageDeflate: false,
    maxPayload: inboundBytes,
    closeTimeout: GOODBYE_MS,
    handleProtocols: (offered: Set<string>) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : (false as const)),
  };
  const webSockets = new WebSocketServer(rulesOfFrames);
  const unfinished = boundUnfinished(unfinishedBytes);
  const silent = new WeakSet<WebSocket>();
  const ofDevice = new WeakMap<WebSocket, string>();
  let stopHeartbeat = clock.after(heartbeatMs, beat);

  /** Cuts who did not answer the last ping, and pings the others: a peer that vanished says nothing itself. */
  function beat(): void {
    for (const webSocket of webSockets.clients) {
      if (silent.has(webSocket)) webSocket.terminate();
      silent.add(webSocket);
      webSocket.ping();
    }
    stopHeartbeat = clock.after(heartbeatMs, beat);
  }

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const path = /^\/wire(?:\/([^/?#]*))?(?:[?#].*)?$/.exec(request.url ?? "");
    if (path === null) {
      if (http.listenerCount("upgrade") === 1) refuse(stream, 404, "the wire is at /wire");
      return;
    }
    const foreign = foreignRequest(request, rules);
    if (foreign !== undefined) return refuse(stream, 403, foreign);
    const address = request.socket.remoteAddress ?? "";
    const sent = sentToken(request);
    // Both are compared in any case, so that the time does not tell which was near.
    const answers = answerToken !== undefined && sameToken(sent, answerToken);
    const known = sameToken(sent, token) || answers;
    const device = known || sent === undefined ? undefined : devices?.match(sent);
    if (!known && device === undefined && guard.blocked(address))
      return refuse(stream, 429, "too many wrong tokens: wait a minute");

    webSockets.handleUpgrade(request, stream, head, (webSocket) => {
      // Also one that is refused may send broken frames before it is gone.
      webSocket.on("error", ignore);
      if (!known && device === undefined) {
        guard.wrong(address);
        return turnAway(webSocket, stream, closeCodes.Token, "the token is missing or wrong");
      }
      if (webSockets.clients.size > maxConnections) {
        const why = `more than ${maxConnections} connections`;
        return turnAway(webSocket, stream, closeCodes.TooManyConnections, why);
      }
      if (device !== undefined) ofDevice.set(webSocket, device.id);
      serve(webSocket, stream as Socket, path[1], answers ? "answer" : device?.role);
    });
  }

  function serve(
    webSocket: WebSocket,
    stream: Socket,
    sessionId: string | undefined,
    role: ClientRole | undefined,
  ): void {
    const session = sessionId === undefined ? () => newSession(webSocket) : server.sessionAt(sessionId);
    if (session === undefined)
      return turnAway(webSocket, stream, closeCodes.Session, "there is no such session");
    unfinished.watch(webSocket, stream);
    webSocket.on("pong", () => silent.delete(webSocket));
    server.connect(webSocketChannel(webSocket, stream, unsentBytes, clock), {
      session,
      graceMs,
      sessionMethods: true,
      ...(role !== undefined && { role }),
    });
  }

  /** Closes the connection, so that a code of the session's absence comes too late, at the limit of sessions. */
  function newSession(webSocket: WebSocket): Session {
    try {
      return server.createSession();
    } catch (error) {
      const full = error instanceof WireError && error.is("Overloaded");
      webSocket.close(full ? closeCodes.TooManyConnections : closeCodes.Internal, closeReason(error));
      throw error;
    }
  }

  http.on("upgrade", upgrade);
  const forgetDevices = devices?.watchRevoked((id) => {
    for (const webSocket of webSockets.clients) {
      if (ofDevice.get(webSocket) === id) webSocket.close(closeCodes.Token, "the device was revoked");
    }
  });

  return {
    token,
    answerToken,
    address(session, role) {
      const secret = role === "answer" ? answerToken : token;
      if (secret === undefined) throw new TypeError("role: expected a gateway with an answerToken");
      const bound = http.address() as AddressInfo;
      const scheme = "setSecureContext" in http ? "wss" : "ws";
      return `${scheme}://${urlHost(bound.address)}:${bound.port}/wire/${session.id}#${encodeURIComponent(secret)}`;
    },
    async close() {
      http.off("upgrade", upgrade);
      stopHeartbeat();
      forgetDevices?.();
      const open = [...webSockets.clients];
      const gone = open.map((webSocket) => new Promise((resolve) => webSocket.once("close", resolve)));
      for (const webSocket of open) webSocket.close(closeCodes.Restart, "the server is stopping");
      // Cuts clients that do not say goodbye.
      const cut = clock.after(STOP_MS, () => {
        for (const webSocket of open) webSocket.terminate();
      });
      await Promise.all(gone);
      cut();
    },
  };
}

/** The longest reason in a close frame: 123 bytes. */
const closeReason = (error: unknown) =>
  Buffer.from((error as Error).message)
    .subarray(0, 120)
    .toString();

/** The time for a client to read a goodbye and repeat it, in milliseconds. */
const GOODBYE_MS = 5_000;
/** The time for a goodbye when the server stops. */
const STOP_MS = 1_000;

/** Made once: a listener made for a connection would keep the whole request that it came with. */
const ignore = () => {};

/** Bytes that are read of a connection that was turned away, so that its goodbye is. */
const TURNED_AWAY_BYTES = 64 * 1024;

/** Closes a connection that is not served. Little more of it is read, since `ws` keeps all input. */
function turnAway(webSocket: WebSocket, stream: Duplex, code: number, why: string): void {
  webSocket.close(code, why);
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > TURNED_AWAY_BYTES) webSocket.pause();
  });
}

function refuse(stream: Duplex, status: 403 | 404 | 429, why: string): void {
  const words = { 403: "Forbidden", 404: "Not Found", 429: "Too Many Requests" } as const;
  const body = `${why}\n`;
  // The only listener of this stream: without it a reset would end the process.
  stream.on("error", () => {});
  stream.once("finish", () => stream.destroy());
  stream.end(
    `HTTP/1.1 ${status} ${words[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
