import { errorText } from "../error-text.js";
import { LocalError, wireErrorCodes } from "../errors.js";
import type { Limits } from "../limits.js";
import type { MessageChannel } from "./channel.js";
import { nullIdError, type Reply, readEnvelope, type WireId } from "./envelope.js";
import { jsonText } from "./json-text.js";

/**
 * JSON-RPC over a channel (P-ENG-1 to P-ENG-11). The engine delivers messages in order and at once. Responses are
 * matched to requests. The engine knows no method and validates no params.
 */
export interface Engine {
  /**
   * Sends a request under this id.
   *
   * @param answered called once, never within this call, with the reply or with the reason why none came. Must not
   * throw.
   * @throws LocalError BAD_MESSAGE for a request that is too large, INVALID_STATE for an id that is outstanding.
   */
  request(method: string, params: unknown, id: string, answered: ReplyListener): Call;
  /** Sends a notification. Ignored once closed. Throws `LocalError` BAD_MESSAGE if the message is too large. */
  notify(method: string, params: unknown): void;
  /** Sends a whole message unchanged, for a message that goes to many connections. Ignored once closed. */
  pass(text: string): void;
  close(code?: number, reason?: string): void;
  readonly isClosed: boolean;
  readonly traffic: Traffic;
}

/** The messages of a connection so far, in both directions (P-XAT-11). */
export interface Traffic {
  /** Messages that this side has sent. */
  readonly sent: number;
  /** Messages that have come and could be read. */
  readonly received: number;
  /** True while a request of either side has no reply yet. */
  readonly awaits: boolean;
}

/** Told how a request ended: with a reply, or with `LocalError` CLOSED or the cause that the transport gave. */
export type ReplyListener = (reply: Reply | LocalError) => void;

/** A request on its way. */
export interface Call {
  /** Stops waiting. The call ends with the error `-32800`, and a late reply is ignored (P-ENG-6). */
  forget(): void;
  /** Stops waiting as `forget` does, and tells the other side (`$/cancelRequest`). */
  cancel(): void;
  /** Tells the other side that the call is cancelled, and waits for its reply as before. */
  interrupt(): void;
}

export interface EngineHandlers {
  /**
   * Answers a request. Must not throw, since an error is a reply too. Returns undefined for a request that is never
   * answered.
   */
  request(method: string, params: unknown, call: IncomingCall): Reply | Promise<Reply> | undefined;
  /** Called in the order of arrival, before any later response is handed on. */
  notification(method: string, params: unknown): void;
  /** Something came that has no effect: for the log. */
  problem(message: string): void;
  /** Nothing more will come. Called once. */
  closed(cause?: Error): void;
}

/** A request that is being answered. */
export interface IncomingCall {
  /** The id that the other side gave the request. */
  readonly id: WireId;
  /** Runs `action` right after the reply was handed to the transport, before anything else is. */
  afterReply(action: () => void): void;
  /** Runs `action` when the other side cancels the request (`$/cancelRequest`). A reply is sent nevertheless. */
  onCancel(action: () => void): void;
  /** Set to let the reply leave ahead of messages that wait in the channel, since it tells nothing of what they wait for. */
  isAhead?: true | undefined;
}

export interface EngineOptions {
  readonly limits: Limits;
  /** True if malformed messages are answered with `-32700` and `-32600`, as an agent does. */
  readonly answerMalformed: boolean;
}

/** Starts to listen on the channel. */
export function createEngine(
  channel: MessageChannel,
  handlers: EngineHandlers,
  options: EngineOptions,
): Engine {
  const engine = new ChannelEngine(channel, handlers, options);
  channel.listen({
    message: (text) => engine.receive(text),
    oversized: (limit) => engine.malformed("InvalidRequest", `Invalid request: longer than ${limit} bytes`),
    unreadable: (problem) => engine.malformed("ParseError", problem),
    closed: (cause) => engine.end(cause),
  });
  return engine;
}

class Incoming implements IncomingCall {
  readonly id: WireId;
  after: (() => void)[] | undefined;
  cancelled: (() => void) | undefined;
  declare isAhead?: true;

  constructor(id: WireId) {
    this.id = id;
  }

  onCancel(action: () => void): void {
    this.cancelled = action;
  }

  afterReply(action: () => void): void {
    this.after ??= [];
    this.after.push(action);
  }
}

class Outgoing implements Call {
  readonly id: string;
  readonly method: string;
  readonly #among: Map<string, Outgoing>;
  readonly #engine: ChannelEngine;
  #answered: ReplyListener | undefined;
  /** An answer may come from inside the send. */
  sent = false;

  constructor(
    id: string,
    method: string,
    answered: ReplyListener,
    among: Map<string, Outgoing>,
    engine: ChannelEngine,
  ) {
    this.id = id;
    this.method = method;
    this.#answered = answered;
    this.#among = among;
    this.#engine = engine;
    among.set(id, this);
  }

  /**
   * Ends the wait, and gives who waited: undefined the second time.
   */
  leave(): ReplyListener | undefined {
    const answered = this.#answered;
    if (answered === undefined) return undefined;
    this.#answered = undefined;
    this.#among.delete(this.id);
    return answered;
  }

  answer(reply: Reply | LocalError): void {
    const answered = this.leave();
    if (this.sent) answered?.(reply);
    else queueMicrotask(() => answered?.(reply));
  }

  forget(): void {
    const answered = this.leave();
    if (answered !== undefined) queueMicrotask(() => answered({ error: cancelled() }));
  }

  cancel(): void {
    if (this.#answered === undefined) return;
    this.forget();
    this.#tell();
  }

  interrupt(): void {
    if (this.#answered !== undefined) this.#tell();
  }

  #tell(): void {
    this.#engine.notify("$/cancelRequest", { id: this.id });
  }
}

class ChannelEngine implements Engine {
  readonly #channel: MessageChannel;
  readonly #handlers: EngineHandlers;
  readonly #options: EngineOptions;
  /** Requests of ours that wait for an answer. Made with the first. */
  #outgoing: Map<string, Outgoing> | undefined;
  /** Requests of the other side that wait for one. */
  readonly #incoming = new Set<Incoming>();
  #sent = 0;
  #received = 0;
  #open = true;
  #endedBy: Error | undefined;

  constructor(channel: MessageChannel, handlers: EngineHandlers, options: EngineOptions) {
    this.#channel = channel;
    this.#handlers = handlers;
    this.#options = options;
  }

  get isClosed(): boolean {
    return !this.#open;
  }

  get traffic(): Traffic {
    const awaits = this.#incoming.size > 0 || (this.#outgoing?.size ?? 0) > 0;
    return { sent: this.#sent, received: this.#received, awaits };
  }

  receive(text: string): void {
    if (!this.#open) return;
    const message = readEnvelope(text, this.#options.limits, this.#channel.stringIds);
    if (message.kind !== "invalid") this.#received += 1;
    switch (message.kind) {
      case "response":
        return this.#response(message.id, message.reply);
      case "notification":
        return this.#notification(message.method, message.params);
      case "request":
        return this.#request(message.id, message.method, message.params);
      case "invalid":
        return this.malformed(message.error, message.message, text);
      case "ignored":
        return this.#handlers.problem(`ignored: ${message.why}`);
    }
  }

  /** @param text what came; the side that does not answer it reports its beginning. */
  malformed(error: "ParseError" | "InvalidRequest", message: string, text?: string): void {
    const { answerMalformed } = this.#options;
    const shown = answerMalformed || text === undefined ? "" : `: ${JSON.stringify(text.slice(0, REPORTED))}`;
    this.#handlers.problem(message + shown);
    if (answerMalformed && this.#open) this.pass(jsonText(nullIdError(error, message)));
  }

  end(cause?: Error): void {
    if (!this.#open) return;
    this.#open = false;
    this.#endedBy = cause;
    for (const call of [...(this.#outgoing?.values() ?? [])]) call.answer(this.#closedError(call.method));
    this.#handlers.closed(cause);
  }

  request(method: string, params: unknown, id: string, answered: ReplyListener): Call {
    if (!this.#open) {
      queueMicrotask(() => answered(this.#closedError(method)));
      return over;
    }
    this.#outgoing ??= new Map();
    if (this.#outgoing.has(id)) throw new LocalError("INVALID_STATE", `id ${id} is outstanding already`);
    const call = new Outgoing(id, method, answered, this.#outgoing, this);
    try {
      this.#transmit({ jsonrpc: "2.0", method, id, params });
    } catch (error) {
      call.leave();
      throw error;
    }
    call.sent = true;
    return call;
  }

  notify(method: string, params: unknown): void {
    if (this.#open) this.#transmit({ jsonrpc: "2.0", method, params });
  }

  pass(text: string): void {
    if (!this.#open) return;
    this.#sent += 1;
    this.#channel.send(text);
  }

  close(code?: number, reason?: string): void {
    if (!this.#open) return;
    this.#channel.close(code, reason);
    this.end();
  }

  #response(id: WireId, reply: Reply): void {
    const call = typeof id === "string" ? this.#outgoing?.get(id) : undefined;
    if (call === undefined) return this.#handlers.problem(`ignored: a response to nothing (id ${id})`);
    call.answer(reply);
  }

  #notification(method: string, params: unknown): void {
    if (method === "$/cancelRequest") this.#cancel(params);
    else this.#handlers.notification(method, params);
  }

  #request(id: WireId, method: string, params: unknown): void {
    const call = new Incoming(id);
    const { unansweredRequests: limit } = this.#options.limits;
    if (this.#incoming.size >= limit) return this.#respond(call, { error: overloaded(limit) });
    const reply = this.#handlers.request(method, params, call);
    if (reply === undefined) return;
    if (!(reply instanceof Promise)) return this.#respond(call, reply);
    this.#incoming.add(call);
    void reply.then((reply) => {
      this.#incoming.delete(call);
      if (this.#open) this.#respond(call, reply);
    });
  }

  /** A cancel without params, or for a request that is not being answered, has no effect and is not kept. */
  #cancel(params: unknown): void {
    const id = typeof params === "object" && params !== null ? (params as { id?: unknown }).id : undefined;
    const calls = [...this.#incoming].filter((call) => call.id === id);
    if (calls.length === 0) this.#handlers.problem("ignored: $/cancelRequest for no running request");
    else for (const call of calls) call.cancelled?.();
  }

  #respond(call: Incoming, reply: Reply): void {
    const { id, after } = call;
    try {
      this.#transmit(
        reply.error === undefined
          ? { jsonrpc: "2.0", id, result: reply.result }
          : { jsonrpc: "2.0", id, error: reply.error },
        call.isAhead,
      );
    } catch (error) {
      this.#transmit({ jsonrpc: "2.0", id, error: internalError(error) });
    }
    if (after !== undefined) for (const action of after) action();
  }

  #transmit(message: object, isAhead?: true): void {
    const text = jsonText(message);
    const { outboundLength: limit } = this.#options.limits;
    if (text.length > limit) {
      throw new LocalError("BAD_MESSAGE", `message of ${text.length} characters: at most ${limit}`);
    }
    this.#sent += 1;
    this.#channel.send(text, isAhead);
  }

  /** Makes the error of a closed connection. A transport may know the cause better, for example a process's end. */
  #closedError(method: string): LocalError {
    if (this.#endedBy instanceof LocalError) return this.#endedBy;
    return new LocalError("CLOSED", `the connection closed before "${method}" was answered`, {
      cause: this.#endedBy,
    });
  }
}

/** The length to which a report quotes an unreadable message, in characters. */
const REPORTED = 200;

const over: Call = { forget() {}, cancel() {}, interrupt() {} };
const cancelled = () => ({ code: wireErrorCodes.Cancelled, message: "no longer awaited", data: null });
const internalError = (error: unknown) => ({
  code: wireErrorCodes.InternalError,
  message: errorText(error),
  data: null,
});
/** The error of a request beyond the limit of those that wait (P-ENG-10). */
export const overloaded = (limit: number) => ({
  code: wireErrorCodes.Overloaded,
  message: `more than ${limit} requests wait for an answer`,
  data: { limit: "unansweredRequests" },
});
