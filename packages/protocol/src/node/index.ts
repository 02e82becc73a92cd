// The part of the protocol package that needs Node: `@askwire/protocol/node`.
export { afterPromises } from "./after-promises.js";
export { validateCompiled } from "./compiled.js";
export { homeFolder } from "./home-folder.js";
export { howEnded } from "./how-ended.js";
export { lastWords } from "./last-words.js";
export { LOCK_FILE, type LockHolder, lifeOf, readLock } from "./lock-holder.js";
export { type ServerFile, serverFiles, serversFolder } from "./server-files.js";
export { framedChannel, type LineChannelOptions, lineChannel } from "./streams.js";
export { onLines, textLines } from "./text-lines.js";
