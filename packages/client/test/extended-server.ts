import type { ChannelSink, MessageChannel } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { deferred } from "../../../scripts/deferred.js";
import { type ConnectOptions, connect } from "../src/index.js";

export type Message = Record<string, unknown> & {
  id: string;
  method?: string;
  params: Record<string, unknown> & { session?: object; capabilities: { askwire?: Record<string, unknown> } };
};

/** Time that stands still until the test has the next thing happen, and chance that is always the same. */
export function fakeTiming(random = 0) {
  const waiting: { ms: number; action: () => void }[] = [];
  return {
    timing: {
      after(ms: number, action: () => void) {
        const timer = { ms, action };
        waiting.push(timer);
        return () => {
          if (waiting.includes(timer)) waiting.splice(waiting.indexOf(timer), 1);
        };
      },
      random: () => random,
    },
    /** How long each of what is to happen waits, shortest first. */
    waits: () => waiting.map(({ ms }) => ms).sort((a, b) => a - b),
    /** What waits so long happens; if not told, what waits the shortest. */
    fire(ms = Math.min(...waiting.map((timer) => timer.ms))) {
      const index = waiting.findIndex((timer) => timer.ms === ms);
      const [timer] = waiting.splice(index, 1);
      if (timer === undefined) throw new Error("nothing waits");
      timer.action();
    },
  };
}

/** The number of the last message, which the lines of one server share. */
export interface Numbers {
  seq: number;
}

/** One connection, whose other end the test types, and which can be cut. */
export function extendedLine(numbers: Numbers) {
  const { left, right } = linkedPair();
  const unread: Message[] = [];
  let wake = () => {};
  let sink: ChannelSink | undefined;
  const { promise: closed, resolve: gone } = deferred();
  let isCut = false;
  left.listen({
    message(text) {
      unread.push(JSON.parse(text) as Message);
      wake();
    },
    oversized() {},
    closed: () => gone(),
  });
  const channel: MessageChannel = {
    ...right,
    send(text) {
      if (!isCut) right.send(text);
    },
    listen(listener) {
      sink = listener;
      right.listen({
        ...listener,
        message: (text) => void (isCut || listener.message(text)),
        closed: () => void (isCut || listener.closed()),
      });
    },
  };

  async function next(): Promise<Message> {
    while (unread.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return unread.shift() as Message;
  }
  const send = (message: object) => left.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  return {
    channel,
    closed,
    /** The next message of the client. */
    next,
    send,
    reply: (id: string, result: unknown = {}) => send({ id, result }),
    fail: (id: string, code: number, data: unknown = null) =>
      send({ id, error: { code, message: `no ${code}`, data } }),
    event(type: string, payload: object = {}, seq = numbers.seq + 1) {
      numbers.seq = seq;
      send({ method: "event", params: { type, payload, seq } });
    },
    /** Puts a question or approval as an event, a call of a program as a request, under the next number. */
    ask(type: string, payload: { id: string; [field: string]: unknown }, id = payload.id) {
      numbers.seq += 1;
      const params = { type, payload, seq: numbers.seq };
      send(isAsked(type) ? { method: "event", params } : { method: "request", id, params });
    },
    /** Sends the message again, without a number. */
    askAgain(type: string, payload: { id: string; [field: string]: unknown }, id = payload.id) {
      const params = { type, payload };
      send(isAsked(type) ? { method: "event", params } : { method: "request", id, params });
    },
    settle: (request_id: string, outcome: object, seq?: number) => {
      numbers.seq = seq ?? numbers.seq + 1;
      const payload = { request_id, kind: "question", outcome };
      send({ method: "event", params: { type: "InteractionSettled", payload, seq: numbers.seq } });
    },
    /** Breaks, so that nothing of what is under way arrives; the client knows of it then. */
    async cut(cause = new Error("cut")) {
      isCut = true;
      sink?.closed(cause);
      for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    },
    /** Ends it in order. */
    end: () => left.close(),
    /** Lets the client handle all that was sent: the answer to an unknown request comes after it. */
    async settled() {
      send({ method: "request", id: "settled", params: { type: "Settled", payload: {} } });
      const message = await next();
      if (message.id !== "settled") throw new Error(`expected nothing, got ${JSON.stringify(message)}`);
    },
  };
}
const isAsked = (type: string) => ["QuestionRequest", "ApprovalRequest"].includes(type);
/** The receipt for a request. */
export const receipt = (request_id: string) => ({
  jsonrpc: "2.0",
  method: "received",
  params: { request_id },
});
export type ExtendedLine = ReturnType<typeof extendedLine>;

export const server = { name: "raw", version: "0" };

/** What `initialize` is answered with in the extended profile. */
export const greeting = (session: object = {}, askwire: object = {}, offers: object = {}) => ({
  protocol_version: "1.10",
  server,
  slash_commands: [],
  ...offers,
  capabilities: { supports_question: true, askwire: { revision: 3, ...askwire } },
  session: {
    id: "s-1",
    stream: "st-1",
    seq: 0,
    state: "idle",
    plan_mode: false,
    pending: [],
    reset: false,
    ...session,
  },
});

/** A server that the client may dial again and again, and the lines that it has dialed. */
export function dialable() {
  const numbers: Numbers = { seq: 0 };
  const dialed: ExtendedLine[] = [];
  let wake = () => {};
  return {
    numbers,
    dial() {
      const line = extendedLine(numbers);
      dialed.push(line);
      wake();
      return line.channel;
    },
    /** The next line that the client has dialed. */
    async nextLine(): Promise<ExtendedLine> {
      while (dialed.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return dialed.shift() as ExtendedLine;
    },
  };
}

/** A client of the extended profile over a connection that is opened again, and the server, which the test types. */
export async function extendedServer(
  options: ConnectOptions = {},
  session: object = {},
  askwire: object = {},
) {
  const { numbers, dial, nextLine } = dialable();
  const time = fakeTiming();
  const connected = connect(dial, { timing: time.timing, ...options });
  const line = await nextLine();
  const initialize = await line.next();
  const greeted = greeting(session, askwire);
  numbers.seq = greeted.session.seq;
  line.reply(initialize.id, greeted);
  const connection = await connected;
  return {
    session: connection,
    line,
    initialize,
    numbers,
    nextLine,
    time,
    /** The client's wait is over: its next line, introduced. What it is told there is `session`. */
    async back(session: object = {}) {
      time.fire();
      const line = await nextLine();
      const initialize = await line.next();
      line.reply(initialize.id, greeting({ seq: numbers.seq, ...session }, askwire));
      while (connection.connection === "lost") await new Promise(setImmediate);
      return { line, initialize };
    },
  };
}

export const outcome = {
  status: "answered",
  by: "human",
  client: { name: "x", connection: "c-1" },
  at: "2026-01-01T00:00:00Z",
};
