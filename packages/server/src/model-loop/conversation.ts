import type { UserInput } from "@askwire/protocol";
import type { History, KeptMessage, MessagePlace } from "../agent/agent-session.js";
import type { Message } from "../agent/model.js";

/** A model's memory: the messages so far, kept from one process to the next if there is a history. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** The tokens of the last answer and all before it; an estimate until a model has counted. */
  tokens: number;
  /** The growth since the last compaction, in tokens; without a compaction the whole conversation. */
  readonly grown: number;
  /** The step that added messages belong to. Default: none. */
  at: MessagePlace | undefined;
  add(...messages: readonly Message[]): void;
  /**
   * Forgets the last step of a turn that has messages here, which may have only a part of them. Returns its number, and
   * the model's words of it; 0 where the turn has no messages.
   *
   * @param most the last step that clients were told of: what is here of later ones is forgotten too.
   */
  rewind(turnId: string, most: number): { readonly step: number; readonly spoken: Message | undefined };
  /** Forgets everything and remembers this. */
  replace(messages: readonly Message[]): void;
  /** Replaces all messages by a shorter form. */
  shorten(messages: readonly Message[]): void;
}

export function createConversation(history: History | undefined): Conversation {
  const places = new WeakMap<Message, MessagePlace>();
  let at: MessagePlace | undefined;
  let messages: Message[] = (history?.load() ?? []).map(({ at: place, ...message }) => {
    if (place !== undefined) places.set(message, place);
    return message;
  });
  let tokens = estimatedTokens(messages);
  /** The tokens of the shorter form; undefined until a model has counted. */
  let floor: number | undefined = 0;

  function put(replaced: readonly Message[]): void {
    messages = [...replaced];
    tokens = estimatedTokens(messages);
    history?.replace(kept(replaced));
  }

  const kept = (some: readonly Message[]): KeptMessage[] =>
    some.map((message) => {
      const place = places.get(message);
      return place === undefined ? message : { ...message, at: place };
    });

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
    get at() {
      return at;
    },
    set at(place) {
      at = history === undefined ? undefined : place;
    },
    add(...added) {
      if (at !== undefined) for (const message of added) places.set(message, at);
      messages.push(...added);
      if (added.length > 0) history?.append(kept(added));
    },
    rewind(turnId, most) {
      const steps = messages.flatMap((message) => {
        const place = places.get(message);
        return place?.turn_id === turnId ? [{ message, step: place.step }] : [];
      });
      const step = Math.min(most, Math.max(0, ...steps.map(({ step }) => step)));
      const first = steps.find((place) => place.step >= step);
      if (first === undefined) return { step, spoken: undefined };
      const from = messages.indexOf(first.message);
      const spoken = steps.find(
        (place) => place.step === step && place.message.role === "assistant",
      )?.message;
      put(messages.slice(0, from));
      return { step, spoken };
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
