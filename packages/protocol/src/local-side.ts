import type { Marks, MethodTable, Schema, Unrecognized } from "./contract.js";
import { errorText } from "./error-text.js";
import { LocalError, WireError } from "./errors.js";
import type { EngineHandlers, IncomingCall } from "./framing/engine.js";
import type { Reply } from "./framing/envelope.js";
import { type SessionState, sessionStates } from "./messages/handshake.js";
import { notSupported } from "./messages/requests.js";
import { isThenable } from "./thenable.js";
import type { Parsed, Validate } from "./validation.js";

/** A handler with a validated input, whose output is validated afterwards. */
export type AnyHandler = (input: never, call: never, marks: never) => unknown;
/** Makes the error reply to a call of `method` that failed; without the call where its result was wrong. */
export type ErrorOf = (error: unknown, method: string, call?: IncomingCall) => WireError;
type CalledHandler = (input: unknown, call: IncomingCall, marks: Marks) => unknown;

/** Answers calls of this side's methods: validates params and results, and maps all errors. */
export class LocalSide implements EngineHandlers {
  readonly #methods: MethodTable;
  readonly #handlers: Readonly<Record<string, AnyHandler | undefined>>;
  readonly #validate: Validate;
  readonly #onProblem: ((message: string) => void) | undefined;
  readonly #errorOf: ErrorOf;
  /** Resolves, with the cause if there was one, when nothing more will come. */
  readonly ended: Promise<Error | undefined>;
  #end: (cause: Error | undefined) => void = () => {};

  constructor(
    methods: MethodTable,
    handlers: Readonly<Record<string, AnyHandler | undefined>>,
    validate: Validate,
    { onProblem, errorOf = toWireError }: { onProblem?: (message: string) => void; errorOf?: ErrorOf },
  ) {
    this.#methods = methods;
    this.#handlers = handlers;
    this.#validate = validate;
    this.#onProblem = onProblem;
    this.#errorOf = errorOf;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** A handler that answers at once is replied to at once: most cost nothing more than the call. */
  request(method: string, params: unknown, call: IncomingCall): Reply | Promise<Reply> | undefined {
    try {
      const spec = this.#spec(method);
      const handler = this.#handlers[method] as CalledHandler | undefined;
      if (spec?.kind === "tagged-notification" || spec?.kind === "notification") {
        return void this.notification(method, params);
      }
      if (spec === undefined || handler === undefined) {
        throw new WireError("MethodNotFound", `Unexpected method received: ${method}`);
      }
      if (spec.kind === "request") {
        const input = inbound(this.#validate(spec.params, params), method);
        return this.#reply(handler(input, call, unmarked), spec.result, method, call);
      }
      const { type, payload, marks } = tagged(params, method);
      const exchange = spec.find(type);
      if (exchange === undefined) throw notSupported(type, "unknown", `Unknown ${method} type: ${type}`);
      const input = { type, payload: inbound(this.#validate(exchange.payload, payload), method) };
      return this.#reply(handler(input, call, marks), exchange.response, method, call);
    } catch (error) {
      return this.#failed(error, method, call);
    }
  }

  notification(method: string, params: unknown): void {
    const spec = this.#spec(method);
    const handler = this.#handlers[method] as ((input: unknown, marks?: Marks) => void) | undefined;
    if (handler === undefined || (spec?.kind !== "tagged-notification" && spec?.kind !== "notification")) {
      return this.problem(`ignored: notification ${method}`);
    }
    try {
      if (spec.kind === "notification") return handler(inbound(this.#validate(spec.params, params), method));
      const { type, payload, marks } = tagged(params, method);
      const found = spec.find(type);
      if (found === undefined) return handler(unrecognized({ type, payload }), marks);
      const parsed = this.#validate(found.payload, payload);
      handler(
        parsed.ok
          ? { type: found.type, payload: parsed.value }
          : unrecognized({ type, payload }, parsed.problem),
        marks,
      );
    } catch (error) {
      this.problem(`notification ${method}: ${(error as Error).message}`);
    }
  }

  /** A log that fails has nobody to be told to, and must not end the reading. */
  problem(message: string): void {
    try {
      this.#onProblem?.(message);
    } catch {}
  }

  closed(cause?: Error): void {
    this.#end(cause);
  }

  #spec(method: string): MethodTable[string] | undefined {
    return Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
  }

  #reply(output: unknown, result: Schema, method: string, call: IncomingCall): Reply | Promise<Reply> {
    if (!isThenable(output)) return this.#checked(output, result, method);
    return Promise.resolve(output).then(
      (value) => this.#checked(value, result, method),
      (error) => this.#failed(error, method, call),
    );
  }

  #checked(output: unknown, result: Schema, method: string): Reply {
    const parsed = this.#validate(result, output);
    if (parsed.ok) return { result: parsed.value };
    return this.#failed(
      new LocalError("BAD_MESSAGE", `${method} does not fit the protocol: ${parsed.problem}`),
      method,
    );
  }

  #failed(error: unknown, method: string, call?: IncomingCall): Reply {
    return { error: this.#errorOf(error, method, call).toJSON() };
  }
}

const unmarked: Marks = {};

function tagged(params: unknown, method: string): { type: string; payload: unknown; marks: Marks } {
  const members = typeof params === "object" && params !== null ? params : {};
  const { type, payload, seq, state, replayed } = members as Record<string, unknown>;
  if (typeof type !== "string") throw invalidParams(method, "type: expected string");
  if (seq === undefined && replayed === undefined) return { type, payload, marks: unmarked };
  const marks: { -readonly [M in keyof Marks]: Marks[M] } = {};
  if (Number.isSafeInteger(seq)) marks.seq = seq as number;
  if (isState(state)) marks.state = state;
  if (replayed === true) marks.replayed = replayed;
  return { type, payload, marks };
}

const isState = (state: unknown): state is SessionState =>
  (sessionStates as readonly unknown[]).includes(state);

function unrecognized(message: { type: string; payload: unknown }, problem?: string): Unrecognized {
  return { type: "unrecognized", payload: message, ...(problem === undefined ? {} : { problem }) };
}

function inbound<T>(parsed: Parsed<T>, method: string): T {
  if (parsed.ok) return parsed.value;
  throw invalidParams(method, parsed.problem);
}

/** The refusal of a call whose params do not fit: `why` names the place and what was expected. */
export const invalidParams = (method: string, why: string): WireError =>
  new WireError("InvalidParams", `Invalid parameters for method \`${method}\`: ${why}`);

/**
 * Maps any error to a `WireError`. Any other error is this side's fault, and the message says so (P-ERR-3, P-ERR-4).
 */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : errorText(error);
  return new WireError("InternalError", text, { cause: error });
}
