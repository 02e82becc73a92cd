import { byteLines } from "../byte-lines.js";
import { CheckFailure, type Exchange } from "../check.js";
import { isObject } from "../expectations.js";
import { type Exit, exitInWords, type ProcessGroup } from "../process-group.js";
import { readLine } from "./invariants.js";
import { type Message, responseTo, type Wanted } from "./messages.js";

/** A server under check: bytes in, messages out. What it sends is held against the envelope at once. */
export interface WireServer {
  readonly pid: number | undefined;
  /** Every message so far, in the order in which it came. */
  readonly messages: readonly Message[];
  /** Writes a message as one line. */
  send(message: object): void;
  /** Writes bytes as they are. Resolves when the pipe has taken them. */
  write(bytes: string | Uint8Array): Promise<void>;
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
  /** Stops reading its output until `resume`. */
  stall(): void;
  resume(): void;
  /** Bytes that came and are not read because of a stall. */
  readonly unread: number;
  /** Ends its input. */
  end(): void;
  kill(signal: NodeJS.Signals): void;
  readonly exit: Promise<Exit>;
  /** What broke the envelope. */
  readonly violation: CheckFailure | undefined;
}

export interface WireServerOptions {
  readonly group: ProcessGroup;
  record(exchange: Exchange): void;
  /** Hears what is waited for, and undefined when it came. */
  awaiting(name: string | undefined): void;
}

/** What one check keeps; a server that says more than that is broken. */
const MOST_MESSAGES = 100_000;

interface Waiter {
  readonly wanted: Wanted;
  resolve(message: Message): void;
  reject(error: CheckFailure): void;
}

export function wireServer({ group, record, awaiting }: WireServerOptions): WireServer {
  const { child } = group;
  const messages: Message[] = [];
  const given = new Set<Message>();
  const waiters = new Set<Waiter>();
  const due = responsesDue();
  let violation: CheckFailure | undefined;
  /** Set once nothing more is to be expected: what to tell whoever waits. */
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

  function take(line: Uint8Array): void {
    if (violation !== undefined) return;
    const text = Buffer.from(line).toString();
    record({ kind: "received", text });
    const read = readLine(line);
    if ("violation" in read)
      return violated(new CheckFailure(read.violation.expected, read.violation.received));
    const { message } = read;
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
    if (waiting.length === 0 || due.some() || waiting.some(({ wanted }) => wanted.isDue)) return;
    const giveUp = () => {
      for (const waiter of waiting.filter((waiter) => waiters.delete(waiter)))
        waiter.reject(
          new CheckFailure(waiter.wanted.name, "no such message by the time that all was answered"),
        );
    };
    waiters.add({ wanted: responseTo(request("conformance/probe")), resolve: giveUp, reject() {} });
  }

  const { push, end } = byteLines(take);
  child.stdout.on("data", push);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    for (const line of text.trimEnd().split("\n")) record({ kind: "stderr", text: line });
  });
  const exit = group.ended.then((exit) => {
    const how = exitInWords(exit);
    record({ kind: "note", text: how });
    const rest = end();
    if (rest.length > 0 && exit.signal === null)
      violated(new CheckFailure("a line feed after the last line", Buffer.from(rest).toString()));
    finish((wanted) => new CheckFailure(wanted, how));
    return exit;
  });

  function write(bytes: string | Uint8Array): Promise<void> {
    const text = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString();
    record({ kind: "sent", text: text.replace(/\n$/, "") });
    for (const id of requestsIn(text)) due.expect(id);
    return new Promise((resolve) => child.stdin.write(bytes, () => resolve()));
  }

  function send(message: object): void {
    void write(`${JSON.stringify(message)}\n`);
  }

  function request(method: string, params?: unknown): string {
    lastId += 1;
    const id = `c-${lastId}`;
    send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return id;
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

  return {
    pid: child.pid,
    messages,
    send,
    write,
    request,
    call: (method, params) => response(request(method, params)),
    next,
    response,
    quiet: () => response(request("conformance/probe")),
    stall: () => void child.stdout.pause(),
    resume: () => void child.stdout.resume(),
    get unread() {
      return child.stdout.readableLength;
    },
    end: () => void child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    exit,
    get violation() {
      return violation;
    },
  };
}

/** The ids of the requests among some lines. */
function requestsIn(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    try {
      const message: unknown = JSON.parse(line);
      return isObject(message) && typeof message.id === "string" && "method" in message ? [message.id] : [];
    } catch {
      return [];
    }
  });
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
