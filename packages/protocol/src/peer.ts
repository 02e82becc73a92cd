import type {
  ExchangeTable,
  In,
  MethodTable,
  Out,
  PayloadTable,
  RequestSpec,
  Schema,
  Tagged,
  TaggedNotificationSpec,
  TaggedRequestSpec,
  Unrecognized,
} from "./contract.js";
import { LocalError, WireError } from "./errors.js";
import type { MessageChannel } from "./framing/channel.js";
import { createEngine, type IncomingCall } from "./framing/engine.js";
import type { Reply } from "./framing/envelope.js";
import { defaultLimits, type Limits } from "./limits.js";
import { validate as interpret, type Validate } from "./validation.js";

/** Keys of a table whose spec is of a kind. */
type Keys<T extends MethodTable, Spec> = { [M in keyof T & string]: T[M] extends Spec ? M : never }[keyof T &
  string];

/** The exchange that a tagged request carries: its payload, with its type and what to answer it by. */
type TaggedRequest<T extends ExchangeTable> = {
  [K in keyof T & string]: { type: K; payload: Out<T[K]["payload"]> };
}[keyof T & string];
type TaggedResponse<T extends ExchangeTable> = In<T[keyof T & string]["response"]>;

/** What answers the methods of a table. A request method without a handler is answered with `-32601` (P-MSG-8). */
export type Handlers<T extends MethodTable> = {
  [M in keyof T]?: T[M] extends TaggedNotificationSpec<infer P>
    ? (event: Tagged<P> | Unrecognized) => void
    : T[M] extends TaggedRequestSpec<infer E>
      ? (request: TaggedRequest<E>, call: IncomingCall) => TaggedResponse<E> | Promise<TaggedResponse<E>>
      : T[M] extends RequestSpec<infer P, infer R>
        ? (params: Out<P>, call: IncomingCall) => In<R> | Promise<In<R>>
        : never;
};

/**
 * How a request ended: with its validated result, or with `WireError` (the other side's error) or `LocalError`:
 * `CLOSED`, `BAD_PEER` (the result does not fit), `BAD_MESSAGE` (too large to send).
 */
export type Answered<R> = { ok: true; value: R } | { ok: false; error: WireError | LocalError };

/** A request on its way. */
export interface Call {
  /** Stops waiting: it ends with the error `-32800`, and a late reply is ignored. */
  forget(): void;
}

/** One end of a connection: validates all four crossings and maps all errors, so that nobody else does. */
export interface Peer<R extends MethodTable> {
  /** Calls a method. Rejects with the error of {@link Answered}. Throws `LocalError` BAD_MESSAGE if the params do not fit. */
  request<M extends Keys<R, RequestSpec>>(
    method: M,
    params: R[M] extends RequestSpec<infer P> ? In<P> : never,
  ): Promise<R[M] extends RequestSpec<infer _, infer S> ? Out<S> : never>;
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
  ): Call;
  /** Sends a tagged notification. Throws `LocalError` BAD_MESSAGE if the payload does not fit. */
  tell<
    M extends Keys<R, TaggedNotificationSpec>,
    P extends R[M] extends TaggedNotificationSpec<infer T> ? T : never,
    K extends keyof P & string,
  >(method: M, type: K, payload: In<P[K]>): void;
  close(code?: number, reason?: string): void;
  /** Resolves, with the cause if there was one, when nothing more will come. */
  readonly closed: Promise<Error | undefined>;
  readonly isClosed: boolean;
}

export interface PeerOptions<L extends MethodTable, R extends MethodTable> {
  readonly channel: MessageChannel;
  /** The methods of this side and of the other. */
  readonly local: L;
  readonly remote: R;
  readonly handlers: Handlers<L>;
  /** Default: false. An agent answers malformed messages, a client only reports them. */
  readonly answerMalformed?: boolean;
  readonly limits?: Partial<Limits>;
  /** Default: the interpreting validator. */
  readonly validate?: Validate;
  /** Told of whatever is dropped or wrong without an effect. Default: nobody. */
  readonly onProblem?: (message: string) => void;
}

/** Connects a channel to handlers, and starts to listen. */
export function bindPeer<const L extends MethodTable, const R extends MethodTable>(
  options: PeerOptions<L, R>,
): Peer<R> {
  const { local, remote, validate = interpret } = options;
  const handlers = options.handlers as Readonly<Record<string, AnyHandler | undefined>>;
  /** A log that fails has nobody to be told to, and must not end the reading. */
  const onProblem = (message: string) => {
    try {
      options.onProblem?.(message);
    } catch {}
  };
  let lastId = 0;
  let isClosed = false;
  let resolveClosed: (cause: Error | undefined) => void = () => {};
  const closed = new Promise<Error | undefined>((resolve) => {
    resolveClosed = resolve;
  });

  const engine = createEngine(
    options.channel,
    {
      request: answer,
      notification,
      cancel: () => {},
      problem: onProblem,
      closed(cause) {
        isClosed = true;
        resolveClosed(cause);
      },
    },
    {
      limits: { ...defaultLimits, ...options.limits },
      answerMalformed: options.answerMalformed ?? false,
      notifications: new Set(
        Object.keys(local).filter((method) => local[method]?.kind === "tagged-notification"),
      ),
    },
  );

  /** A handler that answers at once is replied to at once: most cost nothing more than the call. */
  function answer(method: string, params: unknown, call: IncomingCall): Reply | Promise<Reply> {
    try {
      const spec = Object.hasOwn(local, method) ? local[method] : undefined;
      const handler = handlers[method];
      if (spec === undefined || spec.kind === "tagged-notification" || handler === undefined) {
        throw new WireError("MethodNotFound", `Unexpected method received: ${method}`);
      }
      if (spec.kind === "request") {
        return reply(handler(check(validate(spec.params, params), method), call), spec.result, method);
      }
      const { type, payload } = tagged(params, method);
      const exchange = spec.find(type);
      if (exchange === undefined) throw new WireError("MethodNotFound", `Unknown ${method} type: ${type}`);
      const input = { type, payload: check(validate(exchange.payload, payload), method) };
      return reply(handler(input, call), exchange.response, method);
    } catch (error) {
      return errorReply(error);
    }
  }

  function reply(output: unknown, result: Schema, method: string): Reply | Promise<Reply> {
    if (isPromise(output)) return output.then((value) => reply(value, result, method)).catch(errorReply);
    return { result: outbound(validate(result, output), method) };
  }

  function notification(method: string, params: unknown): void {
    const spec = Object.hasOwn(local, method) ? local[method] : undefined;
    const handler = handlers[method];
    if (spec?.kind !== "tagged-notification" || handler === undefined) {
      return onProblem(`ignored: notification ${method}`);
    }
    try {
      const message = tagged(params, method);
      const found = spec.find(message.type);
      if (found === undefined) return void handler(unrecognized(message));
      const parsed = validate(found.payload, message.payload);
      handler(
        parsed.ok ? { type: found.type, payload: parsed.value } : unrecognized(message, parsed.problem),
      );
    } catch (error) {
      onProblem(`notification ${method}: ${(error as Error).message}`);
    }
  }

  function send(
    method: string,
    params: unknown,
    result: RequestSpec["result"],
    id: string,
    answered: (answer: Answered<unknown>) => void,
  ): Call {
    const call = engine.request(method, params, id);
    call.reply.then(
      (reply) => {
        if (reply.error !== undefined) {
          const { code, message } = reply.error;
          return answered({ ok: false, error: new WireError(code, message, reply.error) });
        }
        const parsed = validate(result, reply.result);
        if (parsed.ok) return answered(parsed);
        const problem = `malformed result of "${method}": ${parsed.problem}`;
        answered({ ok: false, error: new LocalError("BAD_PEER", problem) });
      },
      () => answered({ ok: false, error: call.failure() }),
    );
    return call;
  }

  const peer = {
    request(method: string, params: unknown) {
      const spec = remote[method] as RequestSpec;
      const input = outbound(validate(spec.params, params), method);
      lastId += 1;
      return new Promise((resolve, reject) => {
        send(method, input, spec.result, String(lastId), (answer) => {
          if (answer.ok) resolve(answer.value);
          else reject(answer.error);
        });
      });
    },
    ask(
      method: string,
      type: string,
      payload: unknown,
      id: string,
      answered: (answer: Answered<unknown>) => void,
    ) {
      const exchange = (remote[method] as TaggedRequestSpec).types[type] as ExchangeTable[string];
      const input = outbound(validate(exchange.payload, payload), `${method} ${type}`);
      return send(method, { type, payload: input }, exchange.response, id, answered);
    },
    tell(method: string, type: string, payload: unknown) {
      const schema = (remote[method] as TaggedNotificationSpec).types[type] as PayloadTable[string];
      engine.notify(method, { type, payload: outbound(validate(schema, payload), `${method} ${type}`) });
    },
    close: engine.close,
    closed,
    get isClosed() {
      return isClosed;
    },
  };
  return peer as unknown as Peer<R>;
}

const errorReply = (error: unknown): Reply => ({ error: toWireError(error).toJSON() });
const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";

type AnyHandler = (input: unknown, call?: IncomingCall) => unknown;

function tagged(params: unknown, method: string): { type: string; payload: unknown } {
  const { type, payload } = (typeof params === "object" && params !== null ? params : {}) as Record<
    string,
    unknown
  >;
  if (typeof type === "string") return { type, payload };
  throw new WireError("InvalidParams", `Invalid parameters for method \`${method}\`: type: expected string`);
}

function unrecognized(message: { type: string; payload: unknown }, problem?: string): Unrecognized {
  return { type: "unrecognized", payload: message, ...(problem === undefined ? {} : { problem }) };
}

function check<T>(parsed: { ok: true; value: T } | { ok: false; problem: string }, method: string): T {
  if (parsed.ok) return parsed.value;
  throw new WireError("InvalidParams", `Invalid parameters for method \`${method}\`: ${parsed.problem}`);
}

function outbound<T>(parsed: { ok: true; value: T } | { ok: false; problem: string }, what: string): T {
  if (parsed.ok) return parsed.value;
  throw new LocalError("BAD_MESSAGE", `${what} does not fit the protocol: ${parsed.problem}`);
}

/** The one catch-all: what is not a `WireError` is this side's fault, and says so (P-ERR-3, P-ERR-4). */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new WireError("InternalError", text, { cause: error });
}
