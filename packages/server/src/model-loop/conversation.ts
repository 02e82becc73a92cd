import type { UserInput } from "@askwire/protocol";
import type { History } from "../agent/agent-session.js";
import type { Message } from "../agent/model.js";

/** What a model remembers: the messages so far, kept from one process to the next where there is a history. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** Tokens that the last answer came to, with all before it; an estimate until a model has said. */
  tokens: number;
  /** By how many tokens it has grown since it was made shorter the last time; all of them if it never was. */
  readonly grown: number;
  add(...messages: readonly Message[]): void;
  /** Forgets everything and remembers this. */
  replace(messages: readonly Message[]): void;
  /** The same with what is a shorter form of it. */
  shorten(messages: readonly Message[]): void;
}

export function createConversation(history: History | undefined): Conversation {
  let messages: Message[] = [...(history?.load() ?? [])];
  let tokens = estimatedTokens(messages);
  /** What the shorter form came to; undefined until a model has said. */
  let floor: number | undefined = 0;

  function put(replaced: readonly Message[]): void {
    messages = [...replaced];
    tokens = estimatedTokens(messages);
    history?.replace(replaced);
  }

  return {
    get messages() {
      return messages;
    },
    get tokens() {
      return tokens;
    },
    set tokens(counted) {
      tokens = counted;
      floor ??= counted;
    },
    get grown() {
      return tokens - (floor ?? tokens);
    },
    add(...added) {
      messages.push(...added);
      history?.append(added);
    },
    replace(replaced) {
      put(replaced);
      floor = 0;
    },
    shorten(shorter) {
      put(shorter);
      floor = undefined;
    },
  };
}

/** Characters of a token, about. */
const TOKEN = 4;

/** What messages come to for a model, by their text; pictures and the like are counted nowhere. */
export function estimatedTokens(messages: readonly Message[]): number {
  let characters = 0;
  for (const message of messages) {
    if (message.role === "tool") {
      characters += textLength(message.result.output) + message.result.message.length;
    } else characters += textLength(message.content);
    if (message.role === "assistant") {
      for (const { function: called } of message.tool_calls) {
        characters += called.name.length + (called.arguments?.length ?? 0);
      }
    }
  }
  return Math.ceil(characters / TOKEN);
}

function textLength(content: UserInput): number {
  if (typeof content === "string") return content.length;
  let length = 0;
  for (const part of content) {
    if (part.type === "text") length += part.text.length;
    else if (part.type === "think") length += part.think.length;
  }
  return length;
}
