// The face @askwire/react/code: colours for code, found by a worker that ends where they take too long.
export type { CodeKind, CodeSpan, Highlight } from "../looks/coloured.js";
export { codeColours } from "./code-colours.js";
export { codeSpans } from "./code-spans.js";
export { serveColours } from "./serve-colours.js";
