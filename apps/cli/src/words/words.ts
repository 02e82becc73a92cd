import { type AskedWords, askedWords } from "./asked-words.js";
import { type ChatWords, chatWords } from "./chat-words.js";
import type { Language } from "./language.js";
import { type PanelWords, panelWords } from "./panel-words.js";

/** All that the terminal says in a person's language, by what it is said about. */
export interface Words {
  /** In a panel: its rows, tabs, hints. */
  readonly panel: PanelWords;
  /** About a request: who asks, what was answered, that it is gone. */
  readonly asked: AskedWords;
  /** Around it: prompts, the transcript, the connection. */
  readonly chat: ChatWords;
}

export const wordsIn = (language: Language): Words => ({
  panel: panelWords[language],
  asked: askedWords[language],
  chat: chatWords[language],
});
