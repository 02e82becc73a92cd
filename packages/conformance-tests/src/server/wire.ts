import { isDeepStrictEqual } from "node:util";
import { EXTENDED_REVISION } from "@askwire/protocol";
import { CheckFailure, type Exchange } from "../contract/check.js";
import { inShort, isObject, shortened } from "../contract/expectations.js";
import { AwaitedMessages } from "./awaited-messages.js";
import { type NegotiatedProfile, readLine } from "./invariants.js";
import { named, responseTo, type ServerMessage, type Wanted } from "./messages.js";
import { type Sequence, sequence } from "./sequence.js";

/** A conversation with a server under check, whatever carries it. */
export interface CheckedWire {
  /** Every message so far, in the order in which it came. */
  readonly messages: readonly ServerMessage[];
  /** Writes a message. */
  send(message: object): void;
  /** Writes a request with an id of its own, which it returns. */
  request(method: string, params?: unknown): string;
  /** A request and its response. */
  call(method: string, params?: unknown): Promise<ServerMessage>;
  /** Resolves with the next message that fits, also an earlier message. Each message is given once. */
  next(wanted: Wanted): Promise<ServerMessage>;
  /** Resolves with the response to a request; with null as id, the next error without an id. */
  response(id: string | null): Promise<ServerMessage>;
  /** Resolves with the reply to a request sent now. The server's immediate messages come before. */
  quiet(): Promise<ServerMessage>;
  /** The first fault of the envelope. */
  readonly violation: CheckFailure | undefined;
}

export interface WireOptions {
  /**
   * Hands one message to the transport, as JSON text.
   *
   * @param mayRepeat true where the same message once more has no effect.
   * @returns how many lines go with it that a server answers with `-32700` and id null.
   */
  transmit(text: string, mayRepeat: boolean): number;
  /** True where an answer is to be sent twice under its `answer_id`. Default: never. */
  readonly repeatsAnswers?: () => boolean;
  record(exchange: Exchange): void;
  /** Called with the name of the awaited message, and with undefined when it came. */
  awaiting(name: string | undefined): void;
  /**
   * True if the awaited message may follow from another client's act, so that no silence proves its absence. Default:
   * false.
   */
  readonly hasOthers?: boolean;
}

/** The messages that a check keeps. A server that sends more is broken. */
const MOST_MESSAGES = 100_000;

/** A wire over any transport, which hands its messages to it. The methods of {@link CheckedWire} work without `this`. */
export class CarriedWire implements CheckedWire {
  readonly #options: WireOptions;
  readonly #came = new AwaitedMessages();
  readonly #due = responsesDue();
  readonly #profile = negotiation();
  readonly #copies = copiedAnswers();
  readonly #answers = sentAnswers();
  #violation: CheckFailure | undefined;
  #lastId = 0;
  /** The refusals of unreadable lines, which are no part of what a check sees. */
  #refusalsDue = 0;
  readonly messages = this.#came.all;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  get violation(): CheckFailure | undefined {
    return this.#violation;
  }

  send = (message: object): void => {
    this.#transmit(JSON.stringify(message), isResponse(message));
    const isRepeated = isAnswer(message) && this.#options.repeatsAnswers?.() === true;
    if (isRepeated) this.#transmit(this.#copies.of(message), false);
  };

  request = (method: string, params?: unknown): string => {
    this.#lastId += 1;
    const id = `c-${this.#lastId}`;
    this.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return id;
  };

  call = (method: string, params?: unknown): Promise<ServerMessage> =>
    this.response(this.request(method, params));

  next = async (wanted: Wanted): Promise<ServerMessage> => {
    const came = this.#came.take(wanted);
    if (came !== undefined) return came;
    const coming = this.#came.wait(wanted);
    this.#options.awaiting(wanted.name);
    this.#giveUpIfIdle();
    const message = await coming;
    this.#options.awaiting(undefined);
    return message;
  };

  response = (id: string | null): Promise<ServerMessage> => this.next(responseTo(id));

  quiet = (): Promise<ServerMessage> => this.call("conformance/probe");

  /** Takes a whole message, and checks its envelope at once. */
  take(bytes: Uint8Array): void {
    if (this.#violation !== undefined) return;
    const text = Buffer.from(bytes).toString();
    this.#options.record({ kind: "received", text });
    const read = readLine(bytes, this.#profile.current);
    if ("violation" in read)
      return this.violated(new CheckFailure(read.violation.expected, read.violation.received));
    const message = named(read.message);
    const wrong = this.#wrongIn(message, text);
    if (wrong !== undefined) return this.violated(wrong);
    if (this.#isRefusalDue(message)) return;
    const told = this.#answers.eventOf(message);
    if (told !== undefined) this.#hearEvent(told, text);
    const differs = this.#copies.hear(message) ?? this.#keep(message);
    if (differs !== undefined) return this.violated(differs);
    this.#giveUpIfIdle();
  }

  /** Takes the event that a reply stands for: it has its number, and comes right before the reply. */
  #hearEvent(event: ServerMessage, text: string): void {
    const expected = this.#profile.hear(event);
    if (expected !== undefined)
      return this.violated(new CheckFailure(expected, `the reply ${shortened(text)}`));
    const tooMany = this.#keep(event);
    if (tooMany !== undefined) this.violated(tooMany);
  }

  /** Tells of messages about to be sent, one a line. */
  sending(text: string): void {
    this.#options.record({ kind: "sent", text: text.replace(/\n$/, "") });
    for (const message of requestsIn(text)) {
      this.#due.expect(message.id);
      this.#profile.say(message);
      this.#answers.say(message);
    }
  }

  /** Ends the input, with the failure for all current waits. */
  finish(why: (wanted: string) => CheckFailure): void {
    this.#came.finish(why);
  }

  /** Tells of a fault in the envelope. */
  violated(failure: CheckFailure): void {
    this.#violation ??= failure;
    this.finish(() => failure);
  }

  #transmit(text: string, mayRepeat: boolean): void {
    this.sending(text);
    this.#refusalsDue += this.#options.transmit(text, mayRepeat);
  }

  #wrongIn(message: ServerMessage, text: string): CheckFailure | undefined {
    const expected = this.#profile.hear(message);
    if (expected !== undefined) return new CheckFailure(expected, `the message ${shortened(text)}`);
    const { id, method } = message;
    if (method !== undefined || typeof id !== "string" || this.#due.answer(id)) return undefined;
    return new CheckFailure("one response to each request", `another one: ${text}`);
  }

  /** True for a refusal that was provoked; it counts once. */
  #isRefusalDue(message: ServerMessage): boolean {
    if (this.#refusalsDue === 0 || !isRefusal(message)) return false;
    this.#refusalsDue -= 1;
    return true;
  }

  /** Keeps a message, unless it is the reply to a copy. */
  #keep(message: ServerMessage): CheckFailure | undefined {
    if (this.#copies.has(message.id)) return undefined;
    if (this.messages.length === MOST_MESSAGES)
      return new CheckFailure(`at most ${MOST_MESSAGES} messages in one check`, "more");
    this.#came.add(message);
    return undefined;
  }

  /** With no request unanswered, a missing message will not come after the reply to one more request. */
  #giveUpIfIdle(): void {
    if (this.#options.hasOthers === true || !this.#came.mayBeMissing || this.#due.some()) return;
    this.#came.giveUpAfter(responseTo(this.request("conformance/probe")));
  }
}

interface SentRequest {
  readonly id: string;
  readonly method: unknown;
  readonly params?: unknown;
}

/** The requests among some lines. */
function requestsIn(text: string): SentRequest[] {
  return text.split("\n").flatMap((line) => {
    try {
      const message: unknown = JSON.parse(line);
      return isObject(message) && typeof message.id === "string" && "method" in message
        ? [message as unknown as SentRequest]
        : [];
    } catch {
      return [];
    }
  });
}

/** The negotiated profile, as both sides said in `initialize`, and the numbering of events that follows from it. */
function negotiation() {
  const declared = new Map<string, Record<string, unknown>>();
  let numbers: Sequence | undefined;
  return {
    get current(): NegotiatedProfile {
      return numbers === undefined ? "base" : "extended";
    },
    /** Looks at a request before it is sent. */
    say({ id, method, params }: SentRequest): void {
      if (method !== "initialize" || !isObject(params) || !isObject(params.capabilities)) return;
      if (isObject(params.capabilities.askwire)) declared.set(id, params);
    },
    /** Checks a received message. Returns the expectation for a wrong number. */
    hear(message: ServerMessage): string | undefined {
      if (message.method !== undefined) return numbers?.wrongIn(message);
      const params = declared.get(String(message.id));
      if (params === undefined || numbers !== undefined || !isExtended(message.result)) return undefined;
      numbers = sequence(params.session, message.result.session);
      return undefined;
    },
  };
}

/** True if a result of `initialize` declares the extended profile, in a revision that is not gone. */
export function isExtended(result: unknown): result is Record<string, unknown> {
  const { askwire } = isObject(result) && isObject(result.capabilities) ? result.capabilities : {};
  return isObject(askwire) && Number(askwire.revision) >= EXTENDED_REVISION;
}

/** Counts the due responses by id. A response to a request that was written in pieces may come once. */
function responsesDue() {
  const due = new Map<string, number>();
  return {
    expect(id: string): void {
      due.set(id, (due.get(id) ?? 0) + 1);
    },
    /** True while a response is due. */
    some: () => [...due.values()].some((count) => count > 0),
    answer(id: string): boolean {
      const count = due.get(id) ?? 1;
      due.set(id, count - 1);
      return count > 0;
    },
  };
}

/** True for a response to a request of the server: once more it has no effect (P-ENV-9). */
const isResponse = (message: object) => !("method" in message) && "id" in message;

/** True for the error with which a server answers a line that is no JSON. */
const isRefusal = ({ method, id, error }: ServerMessage) =>
  method === undefined && id === null && error?.code === -32700;

interface SentAnswer {
  readonly id: string;
}

const isAnswer = (message: object): message is SentAnswer =>
  "method" in message && message.method === "answer";

/** The answers that were sent, for the settlements that their replies stand for (P-XAN-2). */
function sentAnswers() {
  const requestIds = new Map<unknown, unknown>();
  return {
    say({ id, method, params }: SentRequest): void {
      if (method === "answer" && isObject(params)) requestIds.set(id, params.request_id);
    },
    /** The event that the reply to an answer stands for; undefined for any other message. */
    eventOf({ id, method, result }: ServerMessage): ServerMessage | undefined {
      if (method !== undefined || !requestIds.has(id) || !isObject(result) || !("seq" in result))
        return undefined;
      const { seq, state, ...settled } = result;
      const payload = { request_id: requestIds.get(id), ...settled };
      const params = { type: "InteractionSettled", payload, seq, ...("state" in result && { state }) };
      return { jsonrpc: "2.0", method: "event", params };
    },
  };
}

/** Answers that were sent twice: one `answer_id` has one reply. */
function copiedAnswers() {
  const originals = new Map<unknown, string>();
  const replies = new Map<unknown, ServerMessage>();
  return {
    /** The copy of an answer, as JSON text. */
    of(message: SentAnswer): string {
      const id = `${message.id}-again`;
      originals.set(id, message.id);
      return JSON.stringify({ ...message, id });
    },
    has: (id: unknown) => originals.has(id),
    /** Looks at a reply. Returns the failure where a copy got another. */
    hear(message: ServerMessage): CheckFailure | undefined {
      const { id, method, result, error } = message;
      if (method !== undefined) return undefined;
      const original = originals.get(id);
      if (original === undefined) {
        if (typeof id === "string") replies.set(id, message);
        return undefined;
      }
      const first = replies.get(original)?.result;
      // An answer that was refused is judged anew.
      if (first === undefined || (isObject(first) && isDeepStrictEqual({ outcome: first.outcome }, result)))
        return undefined;
      return new CheckFailure(
        "the outcome of the first reply to an answer that was sent twice under one answer_id",
        `${inShort(first)}, then ${inShort(result ?? error)}`,
      );
    },
  };
}
