/** Every numeric error code that crosses the wire, by name (P-ERR-1). */
export const wireErrorCodes = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  InvalidState: -32000,
  ModelNotSet: -32001,
  ModelNotSupported: -32002,
  ProviderError: -32003,
  AuthExpired: -32004,
  AlreadyResolved: -32010,
  UnknownRequest: -32011,
  SessionMismatch: -32012,
  InvalidAnswer: -32013,
  NotAllowed: -32014,
  Overloaded: -32020,
  Cancelled: -32800,
} as const;
/** The name of a code of {@link wireErrorCodes}. */
export type WireErrorName = keyof typeof wireErrorCodes;

/** Every WebSocket close code with a meaning of ours or of RFC 6455, by name (P-ERR-2). */
export const closeCodes = {
  Normal: 1000,
  GoingAway: 1001,
  BinaryFrame: 1003,
  BadUtf8: 1007,
  TooLarge: 1009,
  Internal: 1011,
  Restart: 1012,
  TryAgain: 1013,
  Token: 4401,
  Session: 4404,
  TooSlow: 4408,
  Replaced: 4409,
  Silent: 4410,
  TooManyConnections: 4413,
} as const;

/** The `error` member of a JSON-RPC response. */
export interface ErrorObject {
  /** A code of {@link wireErrorCodes}, or another integer of a foreign peer. */
  code: number;
  /** A sentence for a person. */
  message: string;
  /** Data for programs, beside the code; null without data. */
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
  /** The connection could not be opened, or the server refused it. */
  | "CONNECT_FAILED"
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
