import { isDeepStrictEqual } from "node:util";
import { EXTENDED_REVISION } from "@askwire/protocol";
import { CheckFailure, type Exchange } from "../check.js";
import { inShort, isObject, shortened } from "../expectations.js";
import { type Profile, readLine } from "./invariants.js";
import { type Message, named, responseTo, type Wanted } from "./messages.js";
import { type Sequence, sequence } from "./sequence.js";

/** A conversation with a server under check, whatever carries it. */
export interface Wire {
  /** Every message so far, in the order in which it came. */
  readonly messages: readonly Message[];
  /** Writes a message. */
  send(message: object): void;
  /** Writes a request with an id of its own, which it returns. */
  request(method: string, params?: unknown): string;
  /** A request and its response. */
  call(method: string, params?: unknown): Promise<Message>;
  /** Resolves with the next message that fits, also an earlier message. Each message is given once. */
  next(wanted: Wanted): Promise<Message>;
  /** Resolves with the response to a request; with null as id, the next error without an id. */
  response(id: string | null): Promise<Message>;
  /** Resolves with the reply to a request sent now. The server's immediate messages come before. */
  quiet(): Promise<Message>;
  /** The first fault of the envelope. */
  readonly violation: CheckFailure | undefined;
}

/** A wire, and the calls of its transport. */
export interface CarriedWire {
  readonly wire: Wire;
  /** Takes a whole message, and checks its envelope at once. */
  take(bytes: Uint8Array): void;
  /** Tells of messages about to be sent, one a line. */
  sending(text: string): void;
  /** Ends the input, with the failure for all current waits. */
  finish(why: (wanted: string) => CheckFailure): void;
  /** Tells of a fault in the envelope. */
  violated(failure: CheckFailure): void;
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

interface Waiter {
  readonly wanted: Wanted;
  resolve(message: Message): void;
  reject(error: CheckFailure): void;
}

export function carriedWire(options: WireOptions): CarriedWire {
  const { transmit, record, awaiting, hasOthers = false, repeatsAnswers = () => false } = options;
  const messages: Message[] = [];
  const given = new Set<Message>();
  const waiters = new Set<Waiter>();
  const due = responsesDue();
  const profile = negotiation();
  const copies = copiedAnswers();
  let violation: CheckFailure | undefined;
  let over: ((wanted: string) => CheckFailure) | undefined;
  let lastId = 0;
  /** The refusals of unreadable lines, which are no part of what a check sees. */
  let refusalsDue = 0;

  function finish(why: (wanted: string) => CheckFailure): void {
    over ??= why;
    for (const { wanted, reject } of waiters) reject(over(wanted.name));
    waiters.clear();
  }

  function violated(failure: CheckFailure): void {
    violation ??= failure;
    finish(() => failure);
  }

  function take(bytes: Uint8Array): void {
    if (violation !== undefined) return;
    const text = Buffer.from(bytes).toString();
    record({ kind: "received", text });
    const read = readLine(bytes, profile.current);
    if ("violation" in read)
      return violated(new CheckFailure(read.violation.expected, read.violation.received));
    const message = named(read.message);
    const wrong = profile.hear(message);
    if (wrong !== undefined) return violated(new CheckFailure(wrong, `the message ${shortened(text)}`));
    if (message.method === undefined && typeof message.id === "string" && !due.answer(message.id))
      return violated(new CheckFailure("one response to each request", `another one: ${text}`));
    if (refusalsDue > 0 && isRefusal(message)) {
      refusalsDue -= 1;
      return;
    }
    const differs = copies.hear(message);
    if (differs !== undefined) return violated(differs);
    if (copies.has(message.id)) return giveUpIfIdle();
    if (messages.length === MOST_MESSAGES)
      return violated(new CheckFailure(`at most ${MOST_MESSAGES} messages in one check`, "more"));
    messages.push(message);
    const waiter = [...waiters].find(({ wanted }) => wanted.fits(message));
    if (waiter !== undefined) {
      waiters.delete(waiter);
      given.add(message);
      waiter.resolve(message);
    }
    giveUpIfIdle();
  }

  /** With no request unanswered, a missing message will not come after the reply to one more request. */
  function giveUpIfIdle(): void {
    const waiting = [...waiters];
    if (hasOthers) return;
    if (waiting.length === 0 || due.some() || waiting.some(({ wanted }) => wanted.isDue)) return;
    const giveUp = () => {
      for (const waiter of waiting.filter((waiter) => waiters.delete(waiter)))
        waiter.reject(
          new CheckFailure(waiter.wanted.name, "no such message by the time that all was answered"),
        );
    };
    waiters.add({ wanted: responseTo(request("conformance/probe")), resolve: giveUp, reject() {} });
  }

  function sending(text: string): void {
    record({ kind: "sent", text: text.replace(/\n$/, "") });
    for (const message of requestsIn(text)) {
      due.expect(message.id);
      profile.say(message);
    }
  }

  function request(method: string, params?: unknown): string {
    lastId += 1;
    const id = `c-${lastId}`;
    send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return id;
  }

  function send(message: object): void {
    const text = JSON.stringify(message);
    sending(text);
    refusalsDue += transmit(text, isResponse(message));
    const copy = isAnswer(message) && repeatsAnswers() ? copies.of(message) : undefined;
    if (copy === undefined) return;
    sending(copy);
    refusalsDue += transmit(copy, false);
  }

  async function next(wanted: Wanted): Promise<Message> {
    const came = messages.find((message) => !given.has(message) && wanted.fits(message));
    if (came !== undefined) {
      given.add(came);
      return came;
    }
    if (over !== undefined) throw over(wanted.name);
    awaiting(wanted.name);
    const message = await new Promise<Message>((resolve, reject) => {
      waiters.add({ wanted, resolve, reject });
      giveUpIfIdle();
    });
    awaiting(undefined);
    return message;
  }

  const response = (id: string | null) => next(responseTo(id));

  const wire: Wire = {
    messages,
    send,
    request,
    call: (method, params) => response(request(method, params)),
    next,
    response,
    quiet: () => response(request("conformance/probe")),
    get violation() {
      return violation;
    },
  };
  return { wire, take, sending, finish, violated };
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
    get current(): Profile {
      return numbers === undefined ? "base" : "extended";
    },
    /** Looks at a request before it is sent. */
    say({ id, method, params }: SentRequest): void {
      if (method !== "initialize" || !isObject(params) || !isObject(params.capabilities)) return;
      if (isObject(params.capabilities.askwire)) declared.set(id, params);
    },
    /** Checks a received message. Returns the expectation for a wrong number. */
    hear(message: Message): string | undefined {
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
const isRefusal = ({ method, id, error }: Message) =>
  method === undefined && id === null && error?.code === -32700;

interface SentAnswer {
  readonly id: string;
}

const isAnswer = (message: object): message is SentAnswer =>
  "method" in message && message.method === "answer";

/** Answers that were sent twice: one `answer_id` has one reply. */
function copiedAnswers() {
  const originals = new Map<unknown, string>();
  const replies = new Map<unknown, Message>();
  return {
    /** The copy of an answer, as JSON text. */
    of(message: SentAnswer): string {
      const id = `${message.id}-again`;
      originals.set(id, message.id);
      return JSON.stringify({ ...message, id });
    },
    has: (id: unknown) => originals.has(id),
    /** Looks at a reply. Returns the failure where a copy got another. */
    hear(message: Message): CheckFailure | undefined {
      const { id, method, result, error } = message;
      if (method !== undefined) return undefined;
      const original = originals.get(id);
      if (original === undefined) {
        if (typeof id === "string") replies.set(id, message);
        return undefined;
      }
      const first = replies.get(original)?.result;
      // An answer that was refused is judged anew.
      if (first === undefined || isDeepStrictEqual(first, result)) return undefined;
      return new CheckFailure(
        "the same reply to an answer that was sent twice under one answer_id",
        `${inShort(first)}, then ${inShort(result ?? error)}`,
      );
    },
  };
}
