// WebSockets for a server: `@askwire/server/websocket`. Apart from the rest, since it brings `ws`.
export {
  attachWebSocket,
  type Gateway,
  type ListenOptions,
  listenWebSocket,
  type WebSocketOptions,
} from "./transport/web-socket.js";
