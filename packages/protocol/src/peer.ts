import type {
  ExchangeTable,
  In,
  Marks,
  MethodTable,
  NotificationSpec,
  Out,
  PayloadTable,
  RequestSpec,
  Schema,
  Tagged,
  TaggedNotificationSpec,
  TaggedRequestSpec,
  Unrecognized,
} from "./contract.js";
import { errorText } from "./error-text.js";
import { LocalError, WireError } from "./errors.js";
import type { MessageChannel } from "./framing/channel.js";
import { type Call, createEngine, type Engine, type IncomingCall, type Traffic } from "./framing/engine.js";
import type { Reply } from "./framing/envelope.js";
import { jsonText } from "./framing/json-text.js";
import { defaultLimits, type Limits } from "./limits.js";
import { type ErrorOf, LocalSide } from "./local-side.js";
import { validate as interpret, type Parsed, type Validate } from "./validation.js";

/** Keys of a table whose spec is of a given kind. */
type Keys<T extends MethodTable, Spec> = { [M in keyof T & string]: T[M] extends Spec ? M : never }[keyof T &
  string];

/** The exchange of a tagged request: its payload with its type, and the function that answers. */
type TaggedRequest<T extends ExchangeTable> = {
  [K in keyof T & string]: { type: K; payload: Out<T[K]["payload"]> };
}[keyof T & string];
type TaggedResponse<T extends ExchangeTable> = In<T[keyof T & string]["response"]>;

/** Handlers for the methods of a table. A request method without a handler is answered with `-32601` (P-MSG-8). */
export type Handlers<T extends MethodTable> = {
  [M in keyof T]?: T[M] extends TaggedNotificationSpec<infer P>
    ? (event: Tagged<P> | Unrecognized, marks: Marks) => void
    : T[M] extends NotificationSpec<infer P>
      ? (params: Out<P>) => void
      : T[M] extends TaggedRequestSpec<infer E>
        ? (
            request: TaggedRequest<E>,
            call: IncomingCall,
            marks: Marks,
          ) => TaggedResponse<E> | Promise<TaggedResponse<E>>
        : T[M] extends RequestSpec<infer P, infer R>
          ? (params: Out<P>, call: IncomingCall) => In<R> | Promise<In<R>>
          : never;
};

/**
 * The end of a request: its validated result, or a `WireError` of the other side, or a `LocalError`. A `LocalError` is
 * `CLOSED`, `BAD_PEER` (the result does not fit) or `BAD_MESSAGE` (too large to send).
 */
export type Answered<R> = { ok: true; value: R } | { ok: false; error: WireError | LocalError };

/** An end of a connection. Validates all four crossings and maps all errors, so that no other code does. */
export interface Peer<R extends MethodTable> {
  /**
   * Calls a method. Rejects with the error of {@link Answered}. Throws `LocalError` BAD_MESSAGE if the params do not
   * fit.
   *
   * @param signal tells the other side to cancel (`$/cancelRequest`); its reply still ends the call.
   */
  request<M extends Keys<R, RequestSpec>>(
    method: M,
    params: R[M] extends RequestSpec<infer P> ? In<P> : never,
    signal?: AbortSignal,
  ): Promise<R[M] extends RequestSpec<infer _, infer S> ? Out<S> : never>;
  /**
   * Calls a method as {@link Peer.request}, for a reply that must be heard in its place among the messages:
   * `answered` is called before the next one is read. Throws `LocalError` BAD_MESSAGE as `request` does.
   */
  call<M extends Keys<R, RequestSpec>>(
    method: M,
    params: R[M] extends RequestSpec<infer P> ? In<P> : never,
    answered: (answer: Answered<R[M] extends RequestSpec<infer _, infer S> ? Out<S> : never>) => void,
  ): Call;
  /** Puts a tagged request under the given id, a UUID or a tool call's id. Throws as {@link Peer.request}. */
  ask<
    M extends Keys<R, TaggedRequestSpec>,
    E extends R[M] extends TaggedRequestSpec<infer T> ? T : never,
    K extends keyof E & string,
  >(
    method: M,
    type: K,
    payload: In<E[K]["payload"]>,
    id: string,
    answered: (answer: Answered<Out<E[K]["response"]>>) => void,
    marks?: Marks,
  ): Call;
  /** Sends a tagged notification. Throws `LocalError` BAD_MESSAGE if the payload does not fit. */
  tell<
    M extends Keys<R, TaggedNotificationSpec>,
    P extends R[M] extends TaggedNotificationSpec<infer T> ? T : never,
    K extends keyof P & string,
  >(method: M, type: K, payload: In<P[K]>, marks?: Marks): void;
  /** Sends a notification. Throws `LocalError` BAD_MESSAGE if the params do not fit. */
  notify<M extends Keys<R, NotificationSpec>>(
    method: M,
    params: R[M] extends NotificationSpec<infer P> ? In<P> : never,
  ): void;
  /** Sends a whole message unchanged, for example an `eventText` that goes to many clients. */
  pass(text: string): void;
  /**
   * Ends the connection after all sent messages. `code` is a value of `closeCodes`, for transports with close codes.
   */
  close(code?: number, reason?: string): void;
  /** Resolves, with the cause if there was one, when nothing more will come. */
  readonly closed: Promise<Error | undefined>;
  /** True if nothing more can be sent. */
  readonly isClosed: boolean;
  /** The messages so far, in both directions. */
  readonly traffic: Traffic;
}

/** The parts that {@link bindPeer} connects. */
export interface PeerOptions<L extends MethodTable, R extends MethodTable> {
  readonly channel: MessageChannel;
  /** The methods of this side. */
  readonly local: L;
  /** The methods of the other side. */
  readonly remote: R;
  /** Handlers for the methods of this side. */
  readonly handlers: Handlers<L>;
  /** Default: false. An agent answers malformed messages, a client only reports them. */
  readonly answerMalformed?: boolean;
  /** Bounds of the connection. Default: {@link defaultLimits}. */
  readonly limits?: Partial<Limits>;
  /** Default: the interpreting validator. */
  readonly validate?: Validate;
  /** Makes the reply to a method of this side that failed. Default: the error's name and message, without a stack. */
  readonly errorOf?: ErrorOf;
  /** Told of whatever is dropped or wrong without an effect. Default: nobody. */
  readonly onProblem?: (message: string) => void;
}

/** Connects a channel to handlers, and starts to listen. */
export function bindPeer<const L extends MethodTable, const R extends MethodTable>(
  options: PeerOptions<L, R>,
): Peer<R> {
  const { channel, local, remote, handlers, validate = interpret, answerMalformed = false } = options;
  const side = new LocalSide(local, handlers, validate, options);
  const limits = { ...defaultLimits, ...options.limits };
  const engine = createEngine(channel, side, { limits, answerMalformed });
  return new RemoteSide(remote, validate, engine, side) as unknown as Peer<R>;
}

/** Calls the other side's methods. */
class RemoteSide {
  readonly #remote: MethodTable;
  readonly #validate: Validate;
  readonly #engine: Engine;
  readonly #local: LocalSide;
  #lastId = 0;

  constructor(remote: MethodTable, validate: Validate, engine: Engine, local: LocalSide) {
    this.#remote = remote;
    this.#validate = validate;
    this.#engine = engine;
    this.#local = local;
  }

  get closed(): Promise<Error | undefined> {
    return this.#local.ended;
  }

  get isClosed(): boolean {
    return this.#engine.isClosed;
  }

  get traffic(): Traffic {
    return this.#engine.traffic;
  }

  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const input = this.#input(method, params);
    return new Promise((resolve, reject) => {
      const interrupt = () => call.interrupt();
      const call = this.#call(method, input, (answer) => {
        signal?.removeEventListener("abort", interrupt);
        if (answer.ok) resolve(answer.value);
        else reject(answer.error);
      });
      if (signal?.aborted) interrupt();
      else signal?.addEventListener("abort", interrupt);
    });
  }

  call(method: string, params: unknown, answered: (answer: Answered<unknown>) => void): Call {
    return this.#call(method, this.#input(method, params), answered);
  }

  #input(method: string, params: unknown): unknown {
    return outbound(this.#validate((this.#remote[method] as RequestSpec).params, params), method);
  }

  #call(method: string, input: unknown, answered: (answer: Answered<unknown>) => void): Call {
    this.#lastId += 1;
    const { result } = this.#remote[method] as RequestSpec;
    return this.#send(method, input, result, String(this.#lastId), answered);
  }

  ask(
    method: string,
    type: string,
    payload: unknown,
    id: string,
    answered: (answer: Answered<unknown>) => void,
    marks?: Marks,
  ): Call {
    const exchange = (this.#remote[method] as TaggedRequestSpec).types[type] as ExchangeTable[string];
    const input = outbound(this.#validate(exchange.payload, payload), `${method} ${type}`);
    return this.#send(method, marked(type, input, marks), exchange.response, id, answered);
  }

  tell(method: string, type: string, payload: unknown, marks?: Marks): void {
    const schema = (this.#remote[method] as TaggedNotificationSpec).types[type] as PayloadTable[string];
    const input = outbound(this.#validate(schema, payload), `${method} ${type}`);
    this.#engine.notify(method, marked(type, input, marks));
  }

  notify(method: string, params: unknown): void {
    const { params: schema } = this.#remote[method] as NotificationSpec;
    this.#engine.notify(method, outbound(this.#validate(schema, params), method));
  }

  pass(text: string): void {
    this.#engine.pass(text);
  }

  close(code?: number, reason?: string): void {
    this.#engine.close(code, reason);
  }

  #send(
    method: string,
    params: unknown,
    result: Schema,
    id: string,
    answered: (answer: Answered<unknown>) => void,
  ): Call {
    return this.#engine.request(method, params, id, (reply) => {
      try {
        answered(this.#read(reply, result, method));
      } catch (error) {
        this.#local.problem(`the answer to "${method}" could not be handled: ${errorText(error)}`);
      }
    });
  }

  #read(reply: Reply | LocalError, result: Schema, method: string): Answered<unknown> {
    if (reply instanceof LocalError) return { ok: false, error: reply };
    if (reply.error !== undefined) {
      const { code, message } = reply.error;
      return { ok: false, error: new WireError(code, message, reply.error) };
    }
    const parsed = this.#validate(result, reply.result);
    if (parsed.ok) return parsed;
    const problem = `malformed result of "${method}": ${parsed.problem}`;
    return { ok: false, error: new LocalError("BAD_PEER", problem) };
  }
}

/** An event as a whole message, to be sent to many clients by {@link Peer.pass}. Takes the payload unchanged. */
export const eventText = (type: string, payload: unknown, marks: Marks) =>
  jsonText({ jsonrpc: "2.0", method: "event", params: { type, payload, ...marks } });

/**
 * An event as {@link eventText}, of a payload that others made.
 *
 * @throws LocalError BAD_MESSAGE if the payload does not fit its schema.
 */
export const checkedEventText = (
  schema: Schema,
  type: string,
  payload: unknown,
  marks: Marks,
  validate: Validate,
) => eventText(type, outbound(validate(schema, payload), `event ${type}`), marks);

/** Most messages have no marks, and a spread of nothing takes its time. */
const marked = (type: string, payload: unknown, marks: Marks | undefined) =>
  marks === undefined ? { type, payload } : { type, payload, ...marks };

function outbound<T>(parsed: Parsed<T>, what: string): T {
  if (parsed.ok) return parsed.value;
  throw new LocalError("BAD_MESSAGE", `${what} does not fit the protocol: ${parsed.problem}`);
}
