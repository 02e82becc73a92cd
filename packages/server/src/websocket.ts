// WebSockets for a server: `@askwire/server/websocket`. Apart from the rest, since it brings `ws`.
export type { DeviceRequest, DeviceRequests } from "./transport/device-requests.js";
export type { Device, Devices, PairedDevice } from "./transport/devices.js";
export type { JsonAnswer } from "./transport/json-body.js";
export { type ListenOptions, listenWebSocket } from "./transport/listen.js";
export type { NamedToken, NamedTokens } from "./transport/named-tokens.js";
export type { Nodes } from "./transport/nodes.js";
export { exactOrigins } from "./transport/origin.js";
export { pageServersOf } from "./transport/page-servers.js";
export type { Tenants } from "./transport/tenants.js";
export type { TrustedHeader } from "./transport/trusted-header.js";
export type { Admission } from "./transport/visitors.js";
export { attachWebSocket, type Gateway, type WebSocketOptions } from "./transport/web-socket.js";
