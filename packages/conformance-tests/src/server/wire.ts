import { CheckFailure, type Exchange } from "../check.js";
import { isObject, shortened } from "../expectations.js";
import { type Profile, readLine } from "./invariants.js";
import { type Message, responseTo, type Wanted } from "./messages.js";
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
  /** The next message that fits, also if it came before; each message is given once. */
  next(wanted: Wanted): Promise<Message>;
  /** The response to a request; with null the next error that names none. */
  response(id: string | null): Promise<Message>;
  /** Resolves with the reply to a request sent now: what the server says at once has come before it. */
  quiet(): Promise<Message>;
  /** What broke the envelope. */
  readonly violation: CheckFailure | undefined;
}

/** A wire, and what its transport tells it. */
export interface CarriedWire {
  readonly wire: Wire;
  /** A whole message came. It is held against the envelope at once. */
  take(bytes: Uint8Array): void;
  /** These messages, one a line, are about to be sent. */
  sending(text: string): void;
  /** Nothing more will come: what to tell whoever waits. */
  finish(why: (wanted: string) => CheckFailure): void;
  /** What came breaks the envelope. */
  violated(failure: CheckFailure): void;
}

export interface WireOptions {
  /** Hands one message to the transport, as JSON text. */
  transmit(text: string): void;
  record(exchange: Exchange): void;
  /** Hears what is waited for, and undefined when it came. */
  awaiting(name: string | undefined): void;
  /** Whether what a client waits for may come of what another one does, so that it is never too late. Default: no. */
  readonly hasOthers?: boolean;
}

/** What one check keeps; a server that says more than that is broken. */
const MOST_MESSAGES = 100_000;

interface Waiter {
  readonly wanted: Wanted;
  resolve(message: Message): void;
  reject(error: CheckFailure): void;
}

export function carriedWire({ transmit, record, awaiting, hasOthers = false }: WireOptions): CarriedWire {
  const messages: Message[] = [];
  const given = new Set<Message>();
  const waiters = new Set<Waiter>();
  const due = responsesDue();
  const profile = negotiation();
  let violation: CheckFailure | undefined;
  let over: ((wanted: string) => CheckFailure) | undefined;
  let lastId = 0;

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
    const { message } = read;
    const wrong = profile.hear(message);
    if (wrong !== undefined) return violated(new CheckFailure(wrong, `the message ${shortened(text)}`));
    if (message.method === undefined && typeof message.id === "string" && !due.answer(message.id))
      return violated(new CheckFailure("one response to each request", `another one: ${text}`));
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

  /** When nothing is unanswered, what has not come by the reply to one more request will not come. */
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
    transmit(text);
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

/** Which profile holds, by what both sides said in `initialize`, and the numbers of events that follow from it. */
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
    /** Looks at a message that came; returns what was expected where its number is wrong. */
    hear(message: Message): string | undefined {
      if (message.method !== undefined) return numbers?.wrongIn(message);
      const params = declared.get(String(message.id));
      if (params === undefined || numbers !== undefined || !isExtended(message.result)) return undefined;
      numbers = sequence(params.session, message.result.session);
      return undefined;
    },
  };
}

/** Whether a result of `initialize` declares the extended profile. */
export function isExtended(result: unknown): result is Record<string, unknown> {
  return isObject(result) && isObject(result.capabilities) && isObject(result.capabilities.askwire);
}

/** Counts the responses that are due by id; one to a request that was written in pieces may come once. */
function responsesDue() {
  const due = new Map<string, number>();
  return {
    expect(id: string): void {
      due.set(id, (due.get(id) ?? 0) + 1);
    },
    /** Whether any is due. */
    some: () => [...due.values()].some((count) => count > 0),
    answer(id: string): boolean {
      const count = due.get(id) ?? 1;
      due.set(id, count - 1);
      return count > 0;
    },
  };
}
