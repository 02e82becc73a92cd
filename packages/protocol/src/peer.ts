import type {
  ExchangeTable,
  In,
  MethodTable,
  Out,
  PayloadTable,
  RequestSpec,
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

/** What answers the methods of a table. A request method without a handler is answered with `-32601`. */
export type Handlers<T extends MethodTable> = {
  [M in keyof T]?: T[M] extends TaggedNotificationSpec<infer P>
    ? (event: Tagged<P> | Unrecognized) => void
    : T[M] extends TaggedRequestSpec<infer E>
      ? (request: TaggedRequest<E>, call: IncomingCall) => TaggedResponse<E> | Promise<TaggedResponse<E>>
      : T[M] extends RequestSpec<infer P, infer R>
        ? (params: Out<P>, call: IncomingCall) => In<R> | Promise<In<R>>
        : never;
};

/** A request on its way. */
export interface Call<R> {
  /**
   * The validated result. Rejects with `WireError` (the other side's error), or `LocalError`: `CLOSED`,
   * `BAD_PEER` (the result does not fit), `BAD_MESSAGE` (too large to send).
   */
  readonly response: Promise<R>;
  /** Stops waiting: `response` rejects with `-32800`, and a late reply is ignored. */
  forget(): void;
}

/** One end of a connection: validates all four crossings and maps all errors, so that nobody else does. */
export interface Peer<R extends MethodTable> {
  /** Calls a method. Throws `LocalError` BAD_MESSAGE if the params do not fit. */
  request<M extends Keys<R, RequestSpec>>(
    method: M,
    params: R[M] extends RequestSpec<infer P> ? In<P> : never,
  ): Call<R[M] extends RequestSpec<infer _, infer S> ? Out<S> : never>;
  /** Puts a tagged request under the given id, a UUID or a tool call's id. Throws as {@link request}. */
  ask<
    M extends Keys<R, TaggedRequestSpec>,
    E extends R[M] extends TaggedRequestSpec<infer T> ? T : never,
    K extends keyof E & string,
  >(method: M, type: K, payload: In<E[K]["payload"]>, id: string): Call<Out<E[K]["response"]>>;
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
  const { local, remote, onProblem = () => {}, validate = interpret } = options;
  const handlers = options.handlers as Readonly<Record<string, AnyHandler | undefined>>;
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

  async function answer(method: string, params: unknown, call: IncomingCall): Promise<Reply> {
    try {
      const spec = Object.hasOwn(local, method) ? local[method] : undefined;
      const handler = handlers[method];
      if (spec === undefined || spec.kind === "tagged-notification" || handler === undefined) {
        throw new WireError("MethodNotFound", `Unexpected method received: ${method}`);
      }
      if (spec.kind === "request") {
        const input = check(validate(spec.params, params), method);
        return { result: outbound(validate(spec.result, await handler(input, call)), method) };
      }
      const { type, payload } = tagged(params, method);
      const exchange = Object.hasOwn(spec.types, type) ? spec.types[type] : undefined;
      if (exchange === undefined) throw new WireError("MethodNotFound", `Unknown ${method} type: ${type}`);
      const input = { type, payload: check(validate(exchange.payload, payload), method) };
      return { result: outbound(validate(exchange.response, await handler(input, call)), method) };
    } catch (error) {
      return { error: toWireError(error).toJSON() };
    }
  }

  function notification(method: string, params: unknown): void {
    const spec = Object.hasOwn(local, method) ? local[method] : undefined;
    const handler = handlers[method];
    if (spec?.kind !== "tagged-notification" || handler === undefined) {
      return onProblem(`ignored: notification ${method}`);
    }
    try {
      const message = tagged(params, method);
      const type = Object.hasOwn(spec.older, message.type)
        ? (spec.older[message.type] as string)
        : message.type;
      if (!Object.hasOwn(spec.types, type)) return void handler(unrecognized(message));
      const parsed = validate((spec.types as PayloadTable)[type] as PayloadTable[string], message.payload);
      handler(parsed.ok ? { type, payload: parsed.value } : unrecognized(message, parsed.problem));
    } catch (error) {
      onProblem(`notification ${method}: ${(error as Error).message}`);
    }
  }

  function send(method: string, params: unknown, result: RequestSpec["result"], id: string): Call<unknown> {
    const { reply, forget } = engine.request(method, params, id);
    const response = reply.then((reply) => {
      if (reply.error !== undefined) throw new WireError(reply.error.code, reply.error.message, reply.error);
      const parsed = validate(result, reply.result);
      if (parsed.ok) return parsed.value;
      throw new LocalError("BAD_PEER", `malformed result of "${method}": ${parsed.problem}`);
    });
    return { response, forget };
  }

  const peer = {
    request(method: string, params: unknown) {
      const spec = remote[method] as RequestSpec;
      lastId += 1;
      return send(method, outbound(validate(spec.params, params), method), spec.result, String(lastId));
    },
    ask(method: string, type: string, payload: unknown, id: string) {
      const exchange = (remote[method] as TaggedRequestSpec).types[type] as ExchangeTable[string];
      const input = outbound(validate(exchange.payload, payload), `${method} ${type}`);
      return send(method, { type, payload: input }, exchange.response, id);
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
  return { type: "unrecognized", message, ...(problem === undefined ? {} : { problem }) };
}

function check<T>(parsed: { ok: true; value: T } | { ok: false; problem: string }, method: string): T {
  if (parsed.ok) return parsed.value;
  throw new WireError("InvalidParams", `Invalid parameters for method \`${method}\`: ${parsed.problem}`);
}

function outbound<T>(parsed: { ok: true; value: T } | { ok: false; problem: string }, what: string): T {
  if (parsed.ok) return parsed.value;
  throw new LocalError("BAD_MESSAGE", `${what} does not fit the protocol: ${parsed.problem}`);
}

/** The one catch-all: what is not a `WireError` is this side's fault, and says so (P-ERR-3). */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new WireError("InternalError", text, { cause: error });
}
