import { createMessageConnection, type DataCallback, type Message } from "#jsonrpc";
import { LocalError, wireErrorCodes } from "../errors.js";
import type { Limits } from "../limits.js";
import type { MessageChannel } from "./channel.js";
import { nullIdError, type Reply, readEnvelope, type WireId, writeEnvelope } from "./envelope.js";

/**
 * The only importer of `vscode-jsonrpc`. The library dispatches and correlates; everything that it does not
 * promise is seen to here (P-ENG-1 to P-ENG-11):
 *
 * - it numbers its requests, the wire has strings: ids are mapped both ways, so that two live requests with one
 *   id, or `1` beside `"1"`, are both answered;
 * - it would spread array params, rewrite error texts and reject on malformed responses: params, replies and
 *   results travel through it in an envelope of ours that it does not look into;
 * - it lets a response overtake notifications that came before: responses wait here for their turn;
 * - its queue is unbounded: reading pauses while many messages wait.
 */
export interface Engine {
  /** Sends a request under this id, which must not be outstanding. Rejects with `LocalError` CLOSED on close. */
  request(method: string, params: unknown, id: string): { reply: Promise<Reply>; forget: () => void };
  notify(method: string, params: unknown): void;
  close(code?: number, reason?: string): void;
}

export interface EngineHandlers {
  /** Must not throw: an error is a reply too. */
  request(method: string, params: unknown, call: IncomingCall): Promise<Reply>;
  /** Called in the order of arrival, before any later response resolves. */
  notification(method: string, params: unknown): void;
  /** The other side asked to cancel these calls (`$/cancelRequest`). */
  cancel(calls: IncomingCall[]): void;
  /** Something came that has no effect: for the log. */
  problem(message: string): void;
  /** Nothing more will come. Called once. */
  closed(cause?: Error): void;
}

/** A request that is being answered. */
export interface IncomingCall {
  readonly id: WireId;
  /** Runs `action` right after the reply was handed to the transport, before anything else is. */
  afterReply(action: () => void): void;
}

export interface EngineOptions {
  readonly limits: Limits;
  /** Whether malformed messages are answered with `-32700` and `-32600`, as an agent does. */
  readonly answerMalformed: boolean;
  /** Methods that are notifications even when they carry an id. */
  readonly notifications: ReadonlySet<string>;
  readonly integerIds?: boolean;
}

interface Outgoing {
  readonly id: string;
  readonly params: unknown;
}
/** A request of ours or a reply of ours, as the library writes it. */
interface LibraryMessage {
  readonly id: number;
  readonly method?: string;
  readonly params: Outgoing;
  readonly result?: Reply;
}
interface Live extends IncomingCall {
  readonly after: (() => void)[];
}
type Waiting = { response: Message } | { deliver: Message } | { closed: Error | undefined };

export function createEngine(
  channel: MessageChannel,
  handlers: EngineHandlers,
  options: EngineOptions,
): Engine {
  const { limits } = options;
  const rules = { integerIds: options.integerIds ?? false, nesting: limits.nesting };
  const outgoing = new Map<string, number>();
  const incoming = new Map<number, Live>();
  const inbox: Waiting[] = [];
  let lastIncoming = 0;
  let undispatched = 0;
  let paused = false;
  let open = true;
  let endedBy: Error | undefined;
  let unsendable: Error | undefined;
  let deliver: DataCallback = () => {};

  const connection = createMessageConnection(
    {
      onError: nothing,
      onClose: nothing,
      onPartialMessage: nothing,
      listen: (callback) => {
        deliver = callback;
        return { dispose() {} };
      },
      dispose() {},
    },
    { onError: nothing, onClose: nothing, write, end() {}, dispose() {} },
    { error: handlers.problem, warn: handlers.problem, info() {}, log() {} },
    // Without a limit the library would queue responses one a turn of the event loop, at half the throughput.
    { maxParallelism: Number.MAX_SAFE_INTEGER },
  );
  connection.onRequest(async (_method: string, params: unknown) => {
    const { method, params: raw, call } = params as { method: string; params: unknown; call: Live };
    const reply = handlers.request(method, raw, call);
    dispatched();
    return await reply;
  });
  connection.onNotification((_method: string, params: unknown) => {
    const { method, params: raw } = params as { method: string; params: unknown };
    try {
      handlers.notification(method, raw);
    } finally {
      dispatched();
    }
  });
  connection.listen();
  channel.listen({
    message: receive,
    oversized: (limit) => malformed("InvalidRequest", `Invalid request: longer than ${limit} bytes`),
    closed: (cause) => enqueue({ closed: cause }),
  });

  function receive(text: string): void {
    if (!open) return;
    const message = readEnvelope(text, rules);
    switch (message.kind) {
      case "invalid":
        return malformed(message.error, message.message);
      case "ignored":
        return handlers.problem(`ignored: ${message.why}`);
      case "response": {
        const number = typeof message.id === "string" ? outgoing.get(message.id) : undefined;
        if (number === undefined)
          return handlers.problem(`ignored: a response to nothing (id ${message.id})`);
        outgoing.delete(message.id as string);
        return enqueue({ response: toLibrary({ id: number, result: message.reply }) });
      }
      case "notification":
        return notification(message.method, message.params);
      case "request": {
        if (options.notifications.has(message.method)) return notification(message.method, message.params);
        const after: (() => void)[] = [];
        const call: Live = { id: message.id, after, afterReply: (action) => void after.push(action) };
        lastIncoming += 1;
        incoming.set(lastIncoming, call);
        const params = { method: message.method, params: message.params, call };
        return enqueue({ deliver: toLibrary({ id: lastIncoming, method: "call", params }) });
      }
    }
  }

  function notification(method: string, params: unknown): void {
    if (method === "$/cancelRequest") return cancel(params);
    enqueue({ deliver: toLibrary({ method: "call", params: { method, params } }) });
  }

  /** The library would throw on a cancel without params and keep unknown ids for ever, so it sees none. */
  function cancel(params: unknown): void {
    const id = typeof params === "object" && params !== null ? (params as { id?: unknown }).id : undefined;
    const calls = [...incoming.values()].filter((call) => call.id === id);
    if (calls.length === 0) return handlers.problem("ignored: $/cancelRequest for no running request");
    handlers.cancel(calls);
  }

  function malformed(error: "ParseError" | "InvalidRequest", message: string): void {
    handlers.problem(message);
    if (options.answerMalformed && open) channel.send(writeEnvelope(nullIdError(error, message)));
  }

  function enqueue(item: Waiting): void {
    inbox.push(item);
    drain();
    if (!paused && undispatched + inbox.length >= limits.waitingMessages) {
      paused = true;
      channel.pause();
    }
  }

  /** Hands on what waits, in order; a response or the end only once all that came before it was dispatched. */
  function drain(): void {
    for (let item = inbox[0]; item !== undefined; item = inbox[0]) {
      if (undispatched > 0 && !("deliver" in item)) return;
      inbox.shift();
      if ("deliver" in item) {
        undispatched += 1;
        deliver(item.deliver);
      } else if ("response" in item) {
        deliver(item.response);
      } else {
        end(item.closed);
      }
    }
  }

  function dispatched(): void {
    undispatched -= 1;
    if (undispatched === 0) drain();
    if (paused && undispatched + inbox.length < limits.waitingMessages / 2) {
      paused = false;
      channel.resume();
    }
  }

  /** The library's writer: its requests and replies are put on the wire in our form. */
  function write(message: Message): Promise<void> {
    const { id, method, params, result } = message as unknown as LibraryMessage;
    if (method === undefined) {
      respond(id, result);
    } else {
      try {
        transmit({ jsonrpc: "2.0", method, id: params.id, params: params.params });
        outgoing.set(params.id, id);
      } catch (error) {
        unsendable = error as Error;
        return Promise.reject(error);
      }
    }
    return written;
  }

  function respond(number: number, reply: Reply | undefined): void {
    const call = incoming.get(number);
    incoming.delete(number);
    if (!open || call === undefined) return;
    const envelope = { jsonrpc: "2.0", id: call.id, ...(reply ?? internalError("no reply was made")) };
    try {
      transmit(envelope);
    } catch (error) {
      transmit({ jsonrpc: "2.0", id: call.id, ...internalError(String(error)) });
    }
    for (const action of call.after) action();
  }

  function transmit(message: object): void {
    const text = writeEnvelope(message);
    if (text.length > limits.outboundLength) {
      throw new LocalError(
        "BAD_MESSAGE",
        `message of ${text.length} characters: at most ${limits.outboundLength}`,
      );
    }
    channel.send(text);
  }

  function end(cause?: Error): void {
    if (!open) return;
    open = false;
    endedBy = cause;
    outgoing.clear();
    incoming.clear();
    // Closing alone would leave what is pending unsettled; disposing rejects it.
    connection.dispose();
    handlers.closed(cause);
  }

  /** A transport that knows why it closed, such as a process's end, says it better. */
  function closedError(method: string): LocalError {
    if (endedBy instanceof LocalError) return endedBy;
    return new LocalError("CLOSED", `the connection closed before "${method}" was answered`, {
      cause: endedBy,
    });
  }

  return {
    request(method, params, id) {
      if (!open) return { reply: Promise.reject(closedError(method)), forget: nothing };
      if (outgoing.has(id)) throw new LocalError("INVALID_STATE", `id ${id} is outstanding already`);
      unsendable = undefined;
      const sent = connection.sendRequest<Reply>(method, { id, params } satisfies Outgoing);
      const number = outgoing.get(id);
      const failure = unsendable;
      const reply = sent.catch((error) => {
        throw open ? (failure ?? error) : closedError(method);
      });
      return {
        reply,
        forget() {
          if (number === undefined || outgoing.get(id) !== number) return;
          outgoing.delete(id);
          deliver(toLibrary({ id: number, result: { error: cancelled() } satisfies Reply }));
        },
      };
    },
    notify(method, params) {
      if (open) transmit({ jsonrpc: "2.0", method, params });
    },
    close(code, reason) {
      if (!open) return;
      channel.close(code, reason);
      end();
    },
  };
}

const written = Promise.resolve();
const nothing = () => ({ dispose() {} });
const toLibrary = (message: object) => ({ jsonrpc: "2.0", ...message }) as Message;
const cancelled = () => ({ code: wireErrorCodes.Cancelled, message: "no longer awaited", data: null });
const internalError = (message: string): Reply => ({
  error: { code: wireErrorCodes.InternalError, message, data: null },
});
