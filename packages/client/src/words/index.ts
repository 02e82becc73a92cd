// The face @askwire/client/words: all that our interfaces say, in every language that they speak.
export type {
  AgentWords,
  AskedWords,
  CardWords,
  ChatWords,
  ExtensionWords,
  FailureWords,
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
