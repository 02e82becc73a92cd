/** Every numeric error code that crosses the wire, by name (P-ERR-1). */
export const wireErrorCodes = {
  /** A message is not JSON, or has no readable header. */
  ParseError: -32700,
  /** A message breaks the envelope's rules or a limit. */
  InvalidRequest: -32600,
  /** A method, or a type of `request`, is not there. */
  MethodNotFound: -32601,
  /** Params do not fit, which is checked before any other refusal. The message names the place. */
  InvalidParams: -32602,
  /** Anything that failed without a code. */
  InternalError: -32603,
  /** Not now: a turn is running, or none is. */
  InvalidState: -32000,
  /** No model is configured. */
  ModelNotSet: -32001,
  /** The prompt has content that the model does not take. */
  ModelNotSupported: -32002,
  /** The model's provider failed. */
  ProviderError: -32003,
  /** The provider's login has ended. */
  AuthExpired: -32004,
  /** An answer came late; `data` has the outcome. */
  AlreadyResolved: -32010,
  /** No such request, or no such session. */
  UnknownRequest: -32011,
  /** A request of another session. */
  SessionMismatch: -32012,
  /** An answer does not fit; `data` has the issues. */
  InvalidAnswer: -32013,
  /** This client may not answer, or not say that; or its role does not allow the method. */
  NotAllowed: -32014,
  /** A limit was reached; `data {limit}` names it. */
  Overloaded: -32020,
  /** A request is no longer awaited. It is known on this side only. */
  Cancelled: -32800,
} as const;
/** The name of a code of {@link wireErrorCodes}. */
export type WireErrorName = keyof typeof wireErrorCodes;

/** Every WebSocket close code with a meaning of ours or of RFC 6455, by name (P-ERR-2). */
export const closeCodes = {
  /** Done. */
  Normal: 1000,
  /** The side goes away. */
  GoingAway: 1001,
  /** A binary frame came. */
  BinaryFrame: 1003,
  /** A frame is not UTF-8. */
  BadUtf8: 1007,
  /** A frame is over the limit. */
  TooLarge: 1009,
  /** The server failed to make the session. */
  Internal: 1011,
  /** The server restarts. */
  Restart: 1012,
  /**
   * All connections together hold too much of unfinished messages, and this one most; or the node of the session cannot
   * be reached now (P-NOD-4); or the session ends at that moment (P-SES-6).
   */
  TryAgain: 1013,
  /** The token is missing or wrong. */
  Token: 4401,
  /** No such session. */
  Session: 4404,
  /** The client does not read. */
  TooSlow: 4408,
  /** Another connection of the same client takes the place of this one. */
  Replaced: 4409,
  /** The client gives no sign of life. */
  Silent: 4410,
  /** The server is full. */
  TooManyConnections: 4413,
} as const;

/** The `error` member of a JSON-RPC response. */
export interface ErrorObject {
  /** A code of {@link wireErrorCodes}, or another integer of a foreign peer. */
  code: number;
  /** A sentence for a person. */
  message: string;
  /** Data for programs, next to the code; null without data. */
  data: unknown;
}

/** An error that crossed the wire, or is about to cross, and therefore has a number. */
export class WireError extends Error {
  override readonly name = "WireError";
  /** A code of {@link wireErrorCodes}, or any code of a foreign peer. */
  readonly code: number;
  /** The data of the error; null without data. */
  readonly data: unknown;

  constructor(
    code: WireErrorName | number,
    message: string,
    options: { data?: unknown; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = typeof code === "number" ? code : wireErrorCodes[code];
    this.data = options.data ?? null;
  }

  /** True if this is the error of that name. */
  is(name: WireErrorName): boolean {
    return this.code === wireErrorCodes[name];
  }

  /** As it crosses the wire (P-ERR-4). */
  toJSON(): ErrorObject {
    return { code: this.code, message: this.message, data: this.data };
  }
}

/** The cause of a failure that never crossed the wire, and therefore has no number. */
export type LocalErrorCode =
  /** The connection is closed, by either side. */
  | "CLOSED"
  /** The other side did not answer in the time that was given. */
  | "TIMEOUT"
  /** The connection could not be opened: there is no server, or none that answers. */
  | "CONNECT_FAILED"
  /** The server is there and turned this client away, such as for a wrong token or a session that it does not have. */
  | "REFUSED"
  /** The process could not be started. */
  | "SPAWN_FAILED"
  /** The process ended, with a status or by a signal, before the answer came. */
  | "PROCESS_EXITED"
  /** The other side sent a message that breaks the protocol. */
  | "BAD_PEER"
  /** A message to be sent does not fit its schema or its limit. */
  | "BAD_MESSAGE"
  /** Called in a state that does not allow it. */
  | "INVALID_STATE";

/** A failure on this side of the wire, with a word instead of a number. */
export class LocalError extends Error {
  override readonly name = "LocalError";
  /** Why, as a word that programs may compare. */
  readonly code: LocalErrorCode;

  constructor(code: LocalErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}
