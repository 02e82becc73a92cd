import type { ContentPart, ToolCall, ToolReturnValue, UserInput } from "@askwire/protocol";
import type { History, KeptMessage, Message, MessagePlace, ModelGiven } from "@askwire/server";

/** A model's memory: the messages so far, kept from one process to the next if there is a history. */
export class ModelMemory {
  /** False while calls of an earlier process may be without their results. */
  isComplete: boolean;
  readonly #history: History | undefined;
  readonly #places = new WeakMap<Message, MessagePlace>();
  #at: MessagePlace | undefined;
  #messages: Message[];
  #tokens: number;
  /** The tokens of the shorter form; undefined until a model has counted. */
  #floor: number | undefined = 0;

  constructor(history: History | undefined) {
    this.isComplete = history === undefined;
    this.#history = history;
    this.#messages = (history?.load() ?? []).map(({ at: place, ...message }) => {
      if (place !== undefined) this.#places.set(message, place);
      return message;
    });
    this.#tokens = estimatedTokens(this.#messages);
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The tokens of the last answer and all before it; an estimate until a model has counted. */
  get tokens(): number {
    return this.#tokens;
  }

  set tokens(counted: number) {
    this.#tokens = counted;
    this.#floor ??= counted;
  }

  /** The growth since the last compaction, in tokens; without a compaction the whole conversation. */
  get grown(): number {
    return this.#tokens - (this.#floor ?? this.#tokens);
  }

  /** Sets the step that messages belong to from now on. */
  beginStep(turn_id: string, step: number): void {
    if (this.#history !== undefined) this.#at = { turn_id, step };
  }

  /** Keeps the instructions and tools of the step that begins. */
  asked(given: ModelGiven): void {
    this.#history?.asked?.(given);
  }

  /** Keeps what the model wrote in a step with calls in its text. */
  said(content: readonly ContentPart[]): void {
    this.#history?.said?.(content);
  }

  add(...added: readonly Message[]): void {
    if (this.#at !== undefined) for (const message of added) this.#places.set(message, this.#at);
    this.#messages.push(...added);
    if (added.length > 0) this.#history?.append(this.#kept(added));
  }

  /**
   * Forgets the last step of a turn that has messages here, which may have only a part of them. Returns its number, and
   * the model's words of it; 0 where the turn has no messages.
   *
   * @param most the last step that clients were told of: what is here of later ones is forgotten too.
   */
  rewind(turnId: string, most: number): { readonly step: number; readonly spoken: Message | undefined } {
    const steps = this.#messages.flatMap((message) => {
      const place = this.#places.get(message);
      return place?.turn_id === turnId ? [{ message, step: place.step }] : [];
    });
    const step = Math.min(most, Math.max(0, ...steps.map(({ step }) => step)));
    const first = steps.find((place) => place.step >= step);
    if (first === undefined) return { step, spoken: undefined };
    const spoken = steps.find((place) => place.step === step && place.message.role === "assistant");
    this.#put(this.#messages.slice(0, this.#messages.indexOf(first.message)));
    return { step, spoken: spoken?.message };
  }

  /** Forgets everything and remembers this. */
  replace(messages: readonly Message[]): void {
    this.#put(messages);
    this.#history?.forgot?.(messages);
    this.#floor = 0;
  }

  /** Puts other results in the place of one, each by its call. The history has neither. */
  replaceResults(given: ToolReturnValue, result: (call: ToolCall) => ToolReturnValue): void {
    let calls: readonly ToolCall[] = [];
    this.#messages = this.#messages.map((message) => {
      if (message.role === "assistant") calls = message.tool_calls;
      if (message.role !== "tool" || message.result !== given) return message;
      const call = calls.find(({ id }) => id === message.tool_call_id);
      return call === undefined ? message : { ...message, result: result(call) };
    });
  }

  /** Replaces all messages by a shorter form. */
  shorten(messages: readonly Message[]): void {
    this.#put(messages);
    this.#history?.forgot?.(messages);
    this.#floor = undefined;
  }

  #put(messages: readonly Message[]): void {
    this.#messages = [...messages];
    this.#tokens = estimatedTokens(messages);
    this.#history?.replace(this.#kept(messages));
  }

  #kept(messages: readonly Message[]): KeptMessage[] {
    return messages.map((message) => {
      const place = this.#places.get(message);
      return place === undefined ? message : { ...message, at: place };
    });
  }
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
