// The face @askwire/client/words, for our own interfaces: all that they say, in every language that they speak.
// Values are exported by `*`: one by its name takes the words of all into whatever file takes anything from here.

export * from "./addressed-in.js";
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
