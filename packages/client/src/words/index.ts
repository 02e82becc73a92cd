// The face @askwire/client/words, for our own interfaces: all that they say, in every language that they speak.

export { addressedIn } from "./addressed-in.js";
export * from "./apart.js";
export type { FailureWords } from "./apart-en.js";
export * from "./approvals-in.js";
export * from "./claim-in.js";
export type {
  AgentWords,
  AskedWords,
  CardWords,
  ChatWords,
  ConnectionWords,
  ExtensionWords,
  FieldWords,
  MarkdownWords,
  PageWords,
  PanelWords,
  TalkWords,
  TerminalWords,
  ValueWords,
  ViewWords,
} from "./en.js";
export * from "./language.js";
export * from "./tables.js";
export * from "./who.js";
