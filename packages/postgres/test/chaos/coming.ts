import { setTimeout } from "node:timers/promises";
import type { ClientSession } from "../../../client/src/index.js";
import {
  closeCodeOf,
  connectWebSocket,
  type WebSocketConnectOptions,
} from "../../../client/src/websocket.js";
import { token } from "../node-secrets.js";

/**
 * Comes to a session for the first time, and again while its nodes are away.
 *
 * @param sentAway told why it is not to come again.
 */
export async function coming(
  address: string,
  id: string,
  sentAway: (why: string) => void,
  options: Partial<WebSocketConnectOptions> = {},
): Promise<ClientSession> {
  for (;;) {
    try {
      const client = await connectWebSocket(`${address}/wire/${id}#${token}`, {
        onProblem: () => {},
        ...options,
      });
      void client.closed.then((cause) => cause !== undefined && sentAway(`${id}: ${cause}`));
      return client;
    } catch (error) {
      if (closeCodeOf(error) === 4404) throw error;
      await setTimeout(100 + 400 * Math.random());
    }
  }
}
