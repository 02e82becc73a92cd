import type { UserInput } from "@askwire/protocol";
import type { History } from "../agent/agent-session.js";
import type { Message } from "../agent/model.js";

/** A model's memory: the messages so far, kept from one process to the next if there is a history. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** The tokens of the last answer and all before it; an estimate until a model has counted. */
  tokens: number;
  /** The growth since the last compaction, in tokens; without a compaction the whole conversation. */
  readonly grown: number;
  add(...messages: readonly Message[]): void;
  /** Forgets everything and remembers this. */
  replace(messages: readonly Message[]): void;
  /** Replaces all messages by a shorter form. */
  shorten(messages: readonly Message[]): void;
}

export function createConversation(history: History | undefined): Conversation {
  let messages: Message[] = [...(history?.load() ?? [])];
  let tokens = estimatedTokens(messages);
  /** The tokens of the shorter form; undefined until a model has counted. */
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

/** Estimates the tokens of messages by their text. Pictures and other media are not counted. */
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
