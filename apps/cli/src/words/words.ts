import { type AgentWords, agentWords } from "./agent-words.js";
import { type AskedWords, askedWords } from "./asked-words.js";
import { type ChatWords, chatWords } from "./chat-words.js";
import type { TerminalLanguage } from "./language.js";
import { type PanelWords, panelWords } from "./panel-words.js";

/** All texts of the terminal in a person's language, by their place. */
export interface Words {
  /** Texts in a panel: rows, tabs, hints. */
  readonly panel: PanelWords;
  /** Texts about a request: the sender, the answers, the end. */
  readonly asked: AskedWords;
  /** Texts around a request: prompts, the transcript, the connection. */
  readonly chat: ChatWords;
  /** Texts about an agent whose command a person approves. */
  readonly agents: AgentWords;
}

export const wordsIn = (language: TerminalLanguage): Words => ({
  panel: panelWords[language],
  asked: askedWords[language],
  chat: chatWords[language],
  agents: agentWords[language],
});
