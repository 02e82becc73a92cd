import { setTimeout } from "node:timers/promises";
import type { ClientSession } from "../../../client/src/index.js";
import {
  closeCodeOf,
  connectWebSocket,
  type WebSocketConnectOptions,
} from "../../../client/src/websocket.js";
import { token } from "../node-secrets.js";

/** Comes to a session for the first time, and again while its nodes are away. */
export async function coming(
  address: string,
  id: string,
  options: Partial<WebSocketConnectOptions> = {},
): Promise<ClientSession> {
  for (;;) {
    try {
      return await connectWebSocket(`${address}/wire/${id}#${token}`, { onProblem: () => {}, ...options });
    } catch (error) {
      if (closeCodeOf(error) === 4404) throw error;
      await setTimeout(100 + 400 * Math.random());
    }
  }
}
