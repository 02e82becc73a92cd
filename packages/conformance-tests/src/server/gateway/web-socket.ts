import { randomBytes } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Duplex } from "node:stream";
import type { PlayedPart } from "../../faults/player.js";
import { frameReader, maskedFrame, opcodes, textFrames } from "../../programs/web-socket-frames.js";

/** The end of a WebSocket: the close code, or 1006 without a code. */
export interface Closing {
  readonly code: number;
  readonly reason: string;
}

/** A WebSocket of a client that can break the rules. */
export interface RawWebSocket {
  /** Sends one frame, by default the last of its message. */
  send(opcode: number, payload: Uint8Array, isLast?: boolean): void;
  /** Sends pieces of text messages, each a frame, in one go. */
  write(parts: readonly PlayedPart[]): void;
  /** Stops reading until `resume`. */
  stall(): void;
  resume(): void;
  /** Cuts the connection without a word. */
  drop(): void;
  /** The subprotocol that the server has selected. */
  readonly protocol: string | undefined;
  readonly closed: Promise<Closing>;
}

export interface WebSocketListener {
  text(bytes: Buffer): void;
  pong(bytes: Buffer): void;
  broken(expected: string): void;
  closed(closing: Closing): void;
}

/** A request that was answered without an upgrade. */
export interface RefusedUpgrade {
  readonly status: number;
}

/**
 * Opens a WebSocket, or is refused.
 *
 * @param address `ws://<host>:<port>/wire/<id>#<token>`; the token is sent as a header.
 * @param headers further ones, or others in the place of those.
 */
export function openWebSocket(
  address: string,
  headers: Readonly<Record<string, string>>,
  listener: WebSocketListener,
): Promise<RawWebSocket | RefusedUpgrade> {
  const url = new URL(address);
  const token = decodeURIComponent(url.hash.slice(1));
  const ask = url.protocol === "wss:" ? requestHttps : requestHttp;
  const outgoing = ask({
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port,
    path: url.pathname + url.search,
    headers: {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
      ...(token === "" ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  return new Promise((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("response", ({ statusCode, socket }) => {
      socket.destroy();
      resolve({ status: statusCode ?? 0 });
    });
    outgoing.on("upgrade", ({ headers }, stream, head) =>
      resolve({ ...openedOn(stream, head, listener), protocol: headers["sec-websocket-protocol"] }),
    );
    outgoing.end();
  });
}

function openedOn(
  stream: Duplex,
  head: Buffer,
  { text, pong, broken, closed }: WebSocketListener,
): Omit<RawWebSocket, "protocol"> {
  let closing: Closing | undefined;
  const send = (opcode: number, payload: Uint8Array, isLast = true) => {
    if (!stream.destroyed) stream.write(maskedFrame(opcode, payload, isLast));
  };
  const push = frameReader({
    message(opcode, payload) {
      if (opcode === opcodes.text) return text(payload);
      if (opcode === opcodes.ping) return send(opcodes.pong, payload);
      if (opcode === opcodes.pong) return pong(payload);
      if (opcode !== opcodes.close) return broken("text messages only");
      closing ??= {
        code: payload.length < 2 ? 1005 : payload.readUInt16BE(0),
        reason: payload.subarray(2).toString(),
      };
      send(opcodes.close, payload.subarray(0, 2));
      stream.end();
    },
    broken,
  });
  const ended = new Promise<Closing>((resolve) => {
    stream.on("close", () => resolve(closing ?? { code: 1006, reason: "" }));
  });
  stream.on("error", () => stream.destroy());
  stream.on("data", push);
  stream.on("end", () => stream.end());
  void ended.then(closed);
  push(head);
  return {
    send,
    write: textFrames(maskedFrame, (bytes) => {
      if (!stream.destroyed) stream.write(bytes);
    }),
    stall: () => void stream.pause(),
    resume: () => void stream.resume(),
    drop: () => void stream.destroy(),
    closed: ended,
  };
}
