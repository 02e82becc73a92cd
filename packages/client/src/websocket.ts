// The client over WebSocket, in any runtime: `@askwire/client/websocket`.
import { checkGiven } from "#checks";
import { validate } from "#open-socket";
import type { ClientSession, WebSocketConnectOptions } from "./contract/session.js";
import { webSocketDial } from "./dialing/web-socket.js";
import { openSession } from "./session/open-session.js";

export type { WebSocketConnectOptions } from "./contract/session.js";
export { closeCodeOf } from "./dialing/web-socket.js";

/**
 * Connects to a session, or makes a session. The session outlives a lost connection; see {@link
 * ClientSession.prompt}.
 *
 * @param address `ws://host:port/wire/<id>#<token>` as a server prints it; `/wire` without an id makes a session.
 * @throws LocalError CONNECT_FAILED without a server, and REFUSED by one, whose code {@link closeCodeOf} gives; both with
 * the next step. Else as `connect`.
 */
export async function connectWebSocket(
  address: string,
  options: WebSocketConnectOptions = {},
): Promise<ClientSession> {
  checkGiven("connectWebSocket", "webSocket", options);
  const dial = webSocketDial(address, options);
  return await openSession(dial, options.reconnect !== false, { validate, ...options });
}
