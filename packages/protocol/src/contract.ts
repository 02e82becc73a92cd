import type * as z from "zod/mini";
import type { SessionState } from "./messages/handshake.js";

/** Any schema of this package: zod's core type, so that `zod` and `zod/mini` schemas both fit. */
export type Schema<Output = unknown, Input = unknown> = z.core.$ZodType<Output, Input>;

/** The value that a schema yields after validation. */
export type Out<S extends Schema> = z.core.output<S>;
/** The value that a schema accepts: fields with a default may be left out. */
export type In<S extends Schema> = z.core.input<S>;

/** A method that is answered. */
export interface RequestSpec<P extends Schema = Schema, R extends Schema = Schema> {
  readonly kind: "request";
  readonly params: P;
  readonly result: R;
}

/** A notification, which has no answer. */
export interface NotificationSpec<P extends Schema = Schema> {
  readonly kind: "notification";
  readonly params: P;
}

/** Members of the extended profile next to `type` and `payload` of an event or request (P-XAT-3, P-XST-2, P-XRP-1). */
export interface Marks {
  /** The number in the session's stream. */
  readonly seq?: number;
  /** The session's state from this message on, where that is another one than before. */
  readonly state?: SessionState;
  /** True in a replay. */
  readonly replayed?: boolean;
}

/** Payload schemas of a tagged notification, by type. */
export type PayloadTable = Readonly<Record<string, Schema>>;
/** Payload and response schemas of a tagged request, by type. */
export type ExchangeTable = Readonly<Record<string, { readonly payload: Schema; readonly response: Schema }>>;

/** A notification with the params `{type, payload}`. The type selects the payload's schema. */
export interface TaggedNotificationSpec<T extends PayloadTable = PayloadTable> {
  readonly kind: "tagged-notification";
  readonly types: T;
  /** Older names that are read as newer ones and never sent. */
  readonly older: Readonly<Record<string, string>>;
  /** The name of now and the schema of a received type. */
  find(type: string): { readonly type: string; readonly payload: Schema } | undefined;
}

/** A request with the params `{type, payload}`. The type selects the schemas of payload and result. */
export interface TaggedRequestSpec<T extends ExchangeTable = ExchangeTable> {
  readonly kind: "tagged-request";
  readonly types: T;
  /** The exchange of a received type. */
  find(type: string): ExchangeTable[string] | undefined;
}

/** The methods that one side answers. The key is the wire's method name. */
export type MethodTable = Readonly<
  Record<string, RequestSpec | NotificationSpec | TaggedNotificationSpec | TaggedRequestSpec>
>;

/** Declares a method with an answer, from the schemas of its params and its result. */
export const request = <P extends Schema, R extends Schema>(params: P, result: R): RequestSpec<P, R> => ({
  kind: "request",
  params,
  result,
});

/** A notification, of the schema of its params. */
export const notification = <P extends Schema>(params: P): NotificationSpec<P> => ({
  kind: "notification",
  params,
});

/**
 * A notification of a table of payload schemas, by type.
 *
 * @param older older names, each with the name in the table that it is read as. Default: none.
 */
export const taggedNotification = <T extends PayloadTable>(
  types: T,
  older: Readonly<Record<string, string>> = {},
): TaggedNotificationSpec<T> => {
  const found = new Map(Object.entries(types).map(([type, payload]) => [type, { type, payload }]));
  for (const [old, type] of Object.entries(older)) found.set(old, { type, payload: types[type] as Schema });
  return { kind: "tagged-notification", types, older, find: (type) => found.get(type) };
};

/** A request of a table of payload and response schemas, by type. */
export const taggedRequest = <T extends ExchangeTable>(types: T): TaggedRequestSpec<T> => {
  const found = new Map(Object.entries(types));
  return { kind: "tagged-request", types, find: (type) => found.get(type) };
};

/** The union of `{type, payload}` over a table of payload schemas, as received. */
export type Tagged<T extends PayloadTable> = {
  [K in keyof T & string]: { type: K; payload: Out<T[K]> };
}[keyof T & string];
/** A tagged payload as sent: fields with a default may be left out. */
export type TaggedInput<T extends PayloadTable> = {
  [K in keyof T & string]: { type: K; payload: In<T[K]> };
}[keyof T & string];

/**
 * A message of an unknown type, or with a payload that does not fit its type, passed on as received. Its own `type` is
 * no name of the wire, which tells it from the others (P-MSG-7).
 */
export interface Unrecognized {
  readonly type: "unrecognized";
  /** The message as it came, with the type that it has on the wire. */
  readonly payload: { readonly type: string; readonly payload: unknown };
  /** The problem of the payload and its place; absent for an unknown type. */
  readonly problem?: string;
}
