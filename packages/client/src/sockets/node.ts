import type { Socket } from "node:net";
import { SUBPROTOCOL } from "@askwire/protocol";
import { validateCompiled } from "@askwire/protocol/node";
import { WebSocket } from "ws";
import type { OpenSocket } from "./socket.js";

/** Opens a WebSocket of `ws`: Node 20 has none of its own. The token goes as a bearer (P-SEC-2). */
export const openSocket: OpenSocket = (url, token, maxBytes) => {
  const socket = new WebSocket(url, [SUBPROTOCOL], {
    perMessageDeflate: false,
    maxPayload: maxBytes,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  let stream: Socket | undefined;
  let corked = false;
  socket.once("upgrade", (response) => {
    stream = response.socket;
  });
  return {
    socket,
    validate: validateCompiled,
    beforeSend() {
      if (corked || stream === undefined) return;
      corked = true;
      stream.cork();
      process.nextTick(() => {
        corked = false;
        stream?.uncork();
      });
    },
  };
};
