import { SUBPROTOCOL, TOKEN_SUBPROTOCOL } from "@askwire/protocol";
import type { OpenSocket } from "./socket.js";

/** The validator that makes no code. */
export { validate } from "@askwire/protocol";

/** Opens the runtime's own WebSocket. Browsers send no headers, so the token goes as a subprotocol (P-SEC-2). */
export const openSocket: OpenSocket = (url, token) => {
  const protocols =
    token === undefined ? [SUBPROTOCOL] : [SUBPROTOCOL, `${TOKEN_SUBPROTOCOL}${base64Url(token)}`];
  return { socket: new WebSocket(url, protocols) };
};

function base64Url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
