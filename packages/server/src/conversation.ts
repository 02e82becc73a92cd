import type { History } from "./agent.js";
import type { Message } from "./model.js";

/** What a model remembers: the messages so far, kept from one process to the next where there is a history. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** Tokens that the last answer came to, with all before it; 0 if no model said so. */
  tokens: number;
  add(...messages: readonly Message[]): void;
  /** Forgets everything and remembers this. */
  replace(messages: readonly Message[]): void;
}

export function createConversation(history: History | undefined): Conversation {
  let messages: Message[] = [...(history?.load() ?? [])];
  return {
    get messages() {
      return messages;
    },
    tokens: 0,
    add(...added) {
      messages.push(...added);
      history?.append(added);
    },
    replace(replaced) {
      messages = [...replaced];
      this.tokens = 0;
      history?.replace(replaced);
    },
  };
}
