import type { ModelPart } from "@askwire/server";
import {
  CLOSE,
  FOLLOW_UP,
  findTag,
  followUp,
  OPEN,
  QUESTION,
  QUESTION_END,
  wholeCharacters,
} from "./call-element.js";
import { decoded } from "./suggestions.js";

/** The limit of a call, in UTF-16 units. A longer call ends there. */
export const MAX_CALL = 256 * 1024;

/** Reads a call from its open tag on. Reading returns the text that does not belong to the call. */
export class OpenCall {
  readonly #begin: () => ModelPart;
  /** The call so far. */
  #raw = OPEN;
  /** The part of the call that was not examined yet. */
  #pending = "";
  /** The place of the pending part. Until its question begins the call may turn out to be text. */
  #at: "before question" | "question" | "after question" = "before question";
  #is: "open" | "ended" | "text" = "open";

  /** @param begin makes the tool call, called once it is known to be one. */
  constructor(begin: () => ModelPart) {
    this.#begin = begin;
  }

  get isOpen(): boolean {
    return this.#is === "open";
  }

  /** True once the open tag has turned out to be text. */
  get isText(): boolean {
    return this.#is === "text";
  }

  *read(text: string): Generator<ModelPart, string> {
    const piece = text.slice(0, MAX_CALL - this.#raw.length);
    const later = text.slice(piece.length);
    this.#raw += piece;
    this.#pending += piece;
    if (this.#at === "before question") yield* this.#beforeQuestion();
    if (this.#at === "question") yield* this.#question();
    return `${yield* this.#toClose()}${later}`;
  }

  /** Ends an incomplete call, whose parts so far count. */
  *giveUp(): Generator<ModelPart, string> {
    if (this.#at === "before question") return this.#becomeText();
    // Half a tag is no text of the question.
    if (this.#at === "question" && !/^<./.test(this.#pending)) yield* this.#say(this.#pending);
    yield* this.#finish();
    return "";
  }

  *#beforeQuestion(): Generator<ModelPart> {
    const { at, tag } = findTag(this.#pending, [QUESTION, CLOSE, OPEN]);
    if (tag === OPEN) {
      this.#is = "text";
      return;
    }
    this.#pending = this.#pending.slice(at);
    if (tag !== undefined) yield this.#begin();
    if (tag !== QUESTION) return;
    this.#pending = this.#pending.slice(QUESTION.length);
    this.#at = "question";
    yield argumentsPart('{"question": "');
  }

  *#question(): Generator<ModelPart> {
    const { at, tag } = findTag(this.#pending, [QUESTION_END, FOLLOW_UP, CLOSE]);
    const end = at === this.#pending.length ? wholeCharacters(this.#pending) : at;
    yield* this.#say(this.#pending.slice(0, end));
    this.#pending = this.#pending.slice(end);
    if (tag !== undefined) this.#at = "after question";
  }

  /** Reads up to the close tag, or to the limit of a call. */
  *#toClose(): Generator<ModelPart, string> {
    if (this.#is === "text") return this.#becomeText();
    const { at, tag } = findTag(this.#pending, this.#at === "question" ? [] : [CLOSE]);
    if (tag !== undefined) {
      const rest = this.#pending.slice(at + CLOSE.length);
      this.#raw = this.#raw.slice(0, this.#raw.length - rest.length);
      yield* this.#finish();
      return rest;
    }
    if (this.#at === "after question") this.#pending = this.#pending.slice(at);
    return this.#raw.length < MAX_CALL ? "" : yield* this.giveUp();
  }

  *#say(text: string): Generator<ModelPart> {
    if (text !== "") yield argumentsPart(JSON.stringify(decoded(text)).slice(1, -1));
  }

  /** Sends the rest of the arguments, and the text of the call. */
  *#finish(): Generator<ModelPart> {
    this.#is = "ended";
    const follow_up = followUp(this.#raw);
    if (this.#at === "before question") yield argumentsPart(JSON.stringify({ follow_up }));
    else {
      const more = follow_up === undefined ? "" : `, "follow_up": ${JSON.stringify(follow_up)}`;
      yield argumentsPart(`"${more}}`);
    }
    yield { type: "written", text: this.#raw };
  }

  /** Makes text of the open tag. Returns what followed it. */
  #becomeText(): string {
    this.#is = "text";
    return this.#raw.slice(OPEN.length);
  }
}

const argumentsPart = (arguments_part: string): ModelPart => ({ type: "tool_call_part", arguments_part });
