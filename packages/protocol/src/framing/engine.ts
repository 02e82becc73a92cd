import { createMessageConnection, type DataCallback, type Message } from "vscode-jsonrpc";
import { LocalError, wireErrorCodes } from "../errors.js";
import type { Limits } from "../limits.js";
import type { MessageChannel } from "./channel.js";
import { nullIdError, type Reply, readEnvelope, type WireId, writeEnvelope } from "./envelope.js";

/**
 * The only importer of `vscode-jsonrpc`. The library correlates our requests with their replies; what it does not
 * promise is seen to here (P-ENG-1 to P-ENG-10):
 *
 * - it numbers its requests, the wire has strings: ids are mapped both ways, so that two live requests with one
 *   id, or `1` beside `"1"`, are both answered;
 * - it would rewrite error texts and reject on malformed responses: params, replies and results travel through it
 *   in an envelope of ours that it does not look into;
 * - its queue is unbounded, lets a response overtake what came before, and takes a turn of the event loop for each
 *   message: what comes in is dispatched here, at once and in order, so that nothing ever waits. So its queue stays
 *   empty, and its runtime layer, which is shared by all its users in a process, need not be installed.
 */
export interface Engine {
  /** Sends a request under this id, which must not be outstanding. */
  request(method: string, params: unknown, id: string): EngineCall;
  notify(method: string, params: unknown): void;
  close(code?: number, reason?: string): void;
}

/** A request on its way. When `reply` rejects, `failure` says why: `LocalError` CLOSED or BAD_MESSAGE. */
export interface EngineCall {
  readonly reply: Promise<Reply>;
  failure(): LocalError;
  /** Stops waiting: `reply` resolves with the error `-32800`. */
  forget(): void;
}

export interface EngineHandlers {
  /** Must not throw: an error is a reply too. */
  request(method: string, params: unknown, call: IncomingCall): Reply | Promise<Reply>;
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
class Live implements IncomingCall {
  readonly id: WireId;
  after: (() => void)[] | undefined;

  constructor(id: WireId) {
    this.id = id;
  }

  afterReply(action: () => void): void {
    this.after ??= [];
    this.after.push(action);
  }
}

export function createEngine(
  channel: MessageChannel,
  handlers: EngineHandlers,
  options: EngineOptions,
): Engine {
  const { limits } = options;
  const rules = { integerIds: options.integerIds ?? false, nesting: limits.nesting };
  const outgoing = new Map<string, number>();
  const incoming = new Set<Live>();
  let open = true;
  let endedBy: Error | undefined;
  let unsendable: LocalError | undefined;
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
  connection.listen();
  channel.listen({
    message: receive,
    oversized: (limit) => malformed("InvalidRequest", `Invalid request: longer than ${limit} bytes`),
    closed: end,
  });

  function receive(text: string): void {
    if (!open) return;
    const message = readEnvelope(text, rules);
    switch (message.kind) {
      case "invalid":
        return malformed(message.error, message.message);
      case "ignored":
        return handlers.problem(`ignored: ${message.why}`);
      case "response":
        return response(message.id, message.reply);
      case "notification":
        return notification(message.method, message.params);
      case "request":
        if (options.notifications.has(message.method)) return notification(message.method, message.params);
        return request(message.id, message.method, message.params);
    }
  }

  function response(id: WireId, reply: Reply): void {
    const number = typeof id === "string" ? outgoing.get(id) : undefined;
    if (number === undefined) return handlers.problem(`ignored: a response to nothing (id ${id})`);
    outgoing.delete(id as string);
    deliver(toLibrary(number, reply));
  }

  function notification(method: string, params: unknown): void {
    if (method === "$/cancelRequest") cancel(params);
    else handlers.notification(method, params);
  }

  function request(id: WireId, method: string, params: unknown): void {
    const call = new Live(id);
    if (incoming.size >= limits.unansweredRequests) {
      return respond(call, { error: overloaded(limits.unansweredRequests) });
    }
    const reply = handlers.request(method, params, call);
    if (!(reply instanceof Promise)) return respond(call, reply);
    incoming.add(call);
    void reply.then((reply) => {
      if (incoming.delete(call)) respond(call, reply);
    });
  }

  /** A cancel without params, or for a request that is not being answered, has no effect and is not kept. */
  function cancel(params: unknown): void {
    const id = typeof params === "object" && params !== null ? (params as { id?: unknown }).id : undefined;
    const calls = [...incoming].filter((call) => call.id === id);
    if (calls.length === 0) return handlers.problem("ignored: $/cancelRequest for no running request");
    handlers.cancel(calls);
  }

  function malformed(error: "ParseError" | "InvalidRequest", message: string): void {
    handlers.problem(message);
    if (options.answerMalformed && open) channel.send(writeEnvelope(nullIdError(error, message)));
  }

  /** The library's writer: it has only requests of ours to write. */
  function write(message: Message): Promise<void> {
    const { id, method, params } = message as unknown as { id: number; method: string; params: Outgoing };
    try {
      // Before it is sent: its answer may come from inside the send.
      outgoing.set(params.id, id);
      transmit({ jsonrpc: "2.0", method, id: params.id, params: params.params });
      return written;
    } catch (error) {
      outgoing.delete(params.id);
      unsendable = error as LocalError;
      return Promise.reject(error);
    }
  }

  function respond(call: Live, reply: Reply): void {
    const { id, after } = call;
    try {
      transmit(
        reply.error === undefined
          ? { jsonrpc: "2.0", id, result: reply.result }
          : { jsonrpc: "2.0", id, error: reply.error },
      );
    } catch (error) {
      transmit({ jsonrpc: "2.0", id, error: internalError(error) });
    }
    if (after !== undefined) for (const action of after) action();
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
      if (!open) return { reply: Promise.reject(), failure: () => closedError(method), forget() {} };
      if (outgoing.has(id)) throw new LocalError("INVALID_STATE", `id ${id} is outstanding already`);
      unsendable = undefined;
      const reply = connection.sendRequest<Reply>(method, { id, params } satisfies Outgoing);
      const number = outgoing.get(id);
      const failure = unsendable;
      return {
        reply,
        // The library's own errors stay here: it rejects only when a message cannot be sent or the end came.
        failure: () => failure ?? closedError(method),
        forget() {
          if (number === undefined || outgoing.get(id) !== number) return;
          outgoing.delete(id);
          deliver(toLibrary(number, { error: cancelled() }));
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
const toLibrary = (id: number, result: Reply) => ({ jsonrpc: "2.0", id, result }) as Message;
const cancelled = () => ({ code: wireErrorCodes.Cancelled, message: "no longer awaited", data: null });
const internalError = (error: unknown) => ({
  code: wireErrorCodes.InternalError,
  message: String(error),
  data: null,
});
const overloaded = (limit: number) => ({
  code: wireErrorCodes.Overloaded,
  message: `more than ${limit} requests wait for an answer`,
  data: { limit: "unansweredRequests" },
});
