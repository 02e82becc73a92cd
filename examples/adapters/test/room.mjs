// A real server over WebSocket, with a person who answers and room for the programs that ask.
import { connectWebSocket } from "@askwire/client/websocket";
import { createServer } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";

const log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Opens a session with a person who reacts like this; without handlers nobody is there. The test ends it.
 * @param {import("node:test").TestContext} t
 * @param {import("@askwire/client").ClientHandlers} [handlers]
 */
export async function room(t, handlers) {
  const server = createServer({ agent: { run: async () => {} }, log });
  const gateway = await listenWebSocket(server, { host: "127.0.0.1", port: 0 });
  const home = server.createSession({ stay: true });
  const address = gateway.address(home);
  /** @type {import("@askwire/client").ClientSession[]} */
  const clients = [];
  async function join(
    /** @type {string} */ name,
    /** @type {import("@askwire/client").ClientHandlers} */ own,
  ) {
    const shows = { approvalOptions: true, edits: true, notes: true, skip: true, fields: true };
    const client = await connectWebSocket(address, { client: { name }, handlers: own, shows });
    clients.push(client);
    return client;
  }
  t.after(async () => {
    for (const client of clients) await client.close();
    await server.close();
    await gateway.close();
  });
  if (handlers !== undefined) await join("person", handlers);
  return {
    address,
    /** A program that asks, or the same after a restart. */
    program: () => join("program", {}),
    /** The number of requests that wait for the person. */
    open: () => home.pending.length,
  };
}

/**
 * Handlers of a person who approves every deploy but that of build 43, with a list of the actions that were shown.
 * @param {string[]} [shown]
 * @returns {import("@askwire/client").ClientHandlers}
 */
export const allBut43 = (shown = []) => ({
  approval: ({ action, display }) => {
    shown.push(action);
    return JSON.stringify(display).includes("43") ? { response: "reject", feedback: "too late" } : "approve";
  },
});

/** Waits until something holds, for ten seconds at most. */
export async function until(/** @type {() => boolean} */ holds) {
  for (let waited = 0; !holds(); waited += 10) {
    if (waited > 10_000) throw new Error(`this never came true: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Handlers that never answer. */
export const waiting = { question: () => new Promise(() => {}), approval: () => new Promise(() => {}) };
