// The public face @askwire/react/markdown: Markdown of an agent as elements.
export { type MarkdownWords, markdownWords } from "../words/markdown-words.js";
export { Markdown, type MarkdownProps, renderMarkdown } from "./markdown.js";
