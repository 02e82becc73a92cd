/** The default bounds of a connection, all of them settings (P-LIM-1 to P-LIM-5). */
export const defaultLimits = {
  /** Bytes of one inbound line or body, or of one WebSocket message. */
  inboundBytes: 32 * 1024 * 1024,
  /** UTF-16 units of one outbound message. */
  outboundLength: 16 * 1024 * 1024,
  /** Levels of objects and arrays inside each other. */
  nesting: 64,
  /** Values of one inbound message: its objects and arrays, and all that follows a comma. */
  values: 256 * 1024,
  /** Requests of the other side that wait for an answer. */
  unansweredRequests: 10_000,
  /** Bytes that wait to be sent on a socket, counted while at least two messages wait; on stdio 67108864. */
  unsentBytes: 4 * 1024 * 1024,
} as const;

/** The bounds of a connection, as settings. {@link defaultLimits} says what each limits, and its unit. */
export type Limits = { readonly [K in keyof typeof defaultLimits]: number };
