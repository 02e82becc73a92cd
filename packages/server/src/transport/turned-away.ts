import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** Bytes that are read of a connection that was turned away, so that its goodbye is. */
const TURNED_AWAY_BYTES = 64 * 1024;

/** Closes a connection that is not served. Little more of it is read, since `ws` keeps all input. */
export function turnAway(webSocket: WebSocket, stream: Duplex, code: number, why: string): void {
  webSocket.close(code, why);
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > TURNED_AWAY_BYTES) webSocket.pause();
  });
}

/** Refuses an upgrade, with the reason as text. */
export function refuse(stream: Duplex, status: 403 | 404 | 409 | 429, why: string): void {
  const words = { 403: "Forbidden", 404: "Not Found", 409: "Conflict", 429: "Too Many Requests" } as const;
  const body = `${why}\n`;
  // The only listener of this stream: without it a reset would end the process.
  stream.on("error", () => {});
  stream.once("finish", () => stream.destroy());
  stream.end(
    `HTTP/1.1 ${status} ${words[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
