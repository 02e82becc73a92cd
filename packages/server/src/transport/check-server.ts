import type { AskwireServer } from "../server/server.js";

/**
 * Checks that a transport is given a server, and not the agent of one.
 *
 * @param place the function, with which a message begins.
 * @throws TypeError that says how to make one.
 */
export function checkServer(place: string, server: AskwireServer): void {
  if (typeof Object(server).connect === "function") return;
  throw new TypeError(`${place}: expected a server, as createServer({ agent }) makes one`);
}
