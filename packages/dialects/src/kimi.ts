// The dialect of Kimi apart from the others, for programs that load no more: `@askwire/dialects/kimi`.
export { askUserQuestion, type KimiSettings, kimi } from "./kimi/kimi.js";
