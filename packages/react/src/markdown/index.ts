// The public face @askwire/react/markdown: Markdown of an agent as elements.
export { type MarkdownWords, markdownWords } from "@askwire/client/words";
export { Markdown, type MarkdownProps, renderMarkdown } from "./markdown.js";
