import { createServer, type Server, type Socket } from "node:net";
import { basename, dirname } from "node:path";
import { acceptAgent, type CheckingAgent } from "./agent.js";
import type { LineSurroundings } from "./line.js";

/** The socket where the process of an agent tells its start. */
export interface AgentDoor {
  readonly agent: Promise<CheckingAgent>;
  close(): Promise<unknown>;
}

/** A path where processes of this machine meet. On Windows only a named pipe is one. */
export function socketPath(path: string): string {
  return process.platform === "win32"
    ? `\\\\.\\pipe\\${basename(dirname(path))}-${basename(path)}`
    : `${path}.socket`;
}

/** Lets the agent's process in. A client that launches a second one is left with one that ends at once. */
export async function openAgentDoor(address: string, surroundings: LineSurroundings): Promise<AgentDoor> {
  const sockets: Socket[] = [];
  let letIn: (socket: Socket) => void = () => {};
  const first = new Promise<Socket>((resolve) => {
    letIn = resolve;
  });
  const server: Server = createServer((socket) => {
    if (sockets.length > 0) {
      surroundings.transcript.add("note", "a second agent was launched, and ended");
      socket.destroy();
      return;
    }
    sockets.push(socket);
    letIn(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, resolve);
  });
  return {
    agent: first.then((socket) => acceptAgent(socket, surroundings)),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
