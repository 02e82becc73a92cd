import type { Socket } from "node:net";
import { SUBPROTOCOL } from "@askwire/protocol";
import { afterPromises } from "@askwire/protocol/node";
import { WebSocket } from "ws";
import type { OpenSocket } from "./socket.js";

/** The fastest validator of this runtime. */
export { validateCompiled as validate } from "@askwire/protocol/node";

/** The most characters to report of a refusal. */
const MOST_SAID = 200;

/** Opens a WebSocket of `ws`: Node 20 has none built in. The token goes as a bearer (P-SEC-2). */
export const openSocket: OpenSocket = (url, token, maxBytes) => {
  const socket = new WebSocket(url, [SUBPROTOCOL], {
    perMessageDeflate: false,
    maxPayload: maxBytes,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  let stream: Socket | undefined;
  let corked = false;
  const uncork = () => {
    corked = false;
    stream?.uncork();
  };
  socket.once("upgrade", (response) => {
    stream = response.socket;
  });
  // The server explains a refusal in the text of its answer.
  socket.on("unexpected-response", (_request, response) => {
    let said = "";
    response.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(0, MOST_SAID);
    });
    response.once("end", () => {
      const why = said.trim().split("\n", 1)[0] ?? "";
      const status = `the server answered with HTTP status ${response.statusCode}`;
      socket.emit("error", new Error(why === "" ? status : `${status} (${why})`));
      socket.terminate();
    });
  });
  return {
    socket,
    beforeSend() {
      if (corked || stream === undefined) return;
      corked = true;
      stream.cork();
      afterPromises(uncork);
    },
  };
};
