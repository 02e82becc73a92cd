import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { SUBPROTOCOL } from "@askwire/protocol";
import type { LineSurroundings } from "./line.js";
import { WebSocketLine } from "./web-socket-line.js";

/** A client that asks for a WebSocket. */
export interface Knock {
  /** The time of arrival, in milliseconds, as `performance.now` counts. */
  readonly at: number;
  /** The path and query that it asks for. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  accept(): WebSocketLine;
  /** Answers with an HTTP status. */
  refuse(status: number): void;
}

/** The address to which a client connects, and its visitors. */
export interface WebSocketDoor {
  readonly sessionId: string;
  readonly token: string;
  /** `ws://<host>:<port>/wire/<id>#<token>` */
  readonly address: string;
  /** Waits for the next client that asks for a WebSocket. */
  next(): Promise<Knock>;
  /** The number of visitors that no check has taken. */
  readonly waiting: number;
  close(): Promise<void>;
}

/** The text that every WebSocket's handshake hashes (RFC 6455). */
const HANDSHAKE = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Listens for a client on a free port of this machine. */
export async function openWebSocketDoor(surroundings: LineSurroundings): Promise<WebSocketDoor> {
  const { transcript } = surroundings;
  const sessionId = randomUUID();
  const token = randomUUID();
  const streams = new Set<Duplex>();
  const knocks: Knock[] = [];
  const waiters: (() => void)[] = [];
  let count = 0;

  const server = createServer((_request, response) => response.writeHead(426).end());
  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    streams.add(stream);
    stream.once("close", () => streams.delete(stream));
    stream.on("error", () => stream.destroy());
    count += 1;
    const name = `connection ${count}`;
    transcript.add("note", `${name} to ${request.url}`);
    knocks.push({
      at: performance.now(),
      target: request.url ?? "",
      headers: request.headers,
      accept() {
        stream.write(welcomeOf(request.headers));
        return new WebSocketLine(stream, head, { ...surroundings, name });
      },
      refuse(status) {
        transcript.add("note", `${name} is refused with ${status}`);
        stream.end(
          `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
        );
      },
    });
    for (const waiter of waiters.splice(0)) waiter();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    sessionId,
    token,
    address: `ws://127.0.0.1:${port}/wire/${sessionId}#${token}`,
    get waiting() {
      return knocks.length;
    },
    async next() {
      for (;;) {
        const knock = knocks.shift();
        if (knock !== undefined) return knock;
        await new Promise<void>((resolve) => waiters.push(resolve));
      }
    },
    close() {
      for (const stream of streams) stream.destroy();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** The server's answer to the request for a WebSocket. */
function welcomeOf(headers: IncomingHttpHeaders): string {
  const key = headers["sec-websocket-key"] ?? "";
  const accept = createHash("sha1").update(`${key}${HANDSHAKE}`).digest("base64");
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  const selected = offered.includes(SUBPROTOCOL) ? [`Sec-WebSocket-Protocol: ${SUBPROTOCOL}`] : [];
  return [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
    ...selected,
    "\r\n",
  ].join("\r\n");
}
