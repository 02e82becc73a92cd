// The face @askwire/react/blocks: Markdown cut into blocks and tokens, as the components show it. It loads no React.
export type { MarkedToken, Token, Tokens } from "marked";
export { type Blocks, blocksOf, type MarkdownBlock, tokensOf, unsettled } from "./markdown/blocks.js";
export { withEntities } from "./markdown/entities.js";
export { safeLink } from "./markdown/safe-link.js";
