// The part of the protocol package that needs Node: `@askwire/protocol/node`.
export { validateCompiled } from "./compiled.js";
export { framedChannel, type LineChannelOptions, lineChannel } from "./streams.js";
