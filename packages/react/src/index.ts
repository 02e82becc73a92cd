// The public face of @askwire/react: cards that take a request and give its reply, and the conversation around them.

export * from "./approval.js";
export * from "./cards.js";
export { OpenList, type OpenListProps } from "./lists/open-list.js";
export { SessionList, type SessionListProps } from "./lists/session-list.js";
export { type KeptSessionsState, useKeptSessions } from "./lists/use-kept-sessions.js";
export { type KnownSessions, useSessions } from "./lists/use-sessions.js";
export type { AttachedFiles } from "./prompt/attached.js";
export { PromptBox, type PromptBoxProps } from "./prompt/prompt-box.js";
export type { Mentions } from "./prompt/use-mentions.js";
export { Transcript, type TranscriptProps } from "./transcript/transcript.js";
