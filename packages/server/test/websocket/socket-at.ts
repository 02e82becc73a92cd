import { once } from "node:events";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";

/** A connection at a port of this machine, which says what a test has it say. */
export async function socketAt(port: number, path: string, token: string): Promise<WebSocket> {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, ["askwire.v1"], { headers });
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  return socket;
}
