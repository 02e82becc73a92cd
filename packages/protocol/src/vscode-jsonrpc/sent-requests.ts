import { CancellationTokenSource, ErrorCodes, type MessageConnection } from "vscode-jsonrpc";
import { type ErrorObject, wireErrorCodes } from "../errors.js";

/** Requests of this side that are not answered yet, by the ids of the engine above. */
export class SentRequests {
  readonly #connection: MessageConnection;
  readonly #handOn: (response: object) => void;
  readonly #failed: (error: Error) => void;
  readonly #sources = new Map<string, CancellationTokenSource>();

  /**
   * @param handOn hands a response to the engine above.
   * @param failed called where a request cannot be written.
   */
  constructor(
    connection: MessageConnection,
    handOn: (response: object) => void,
    failed: (error: Error) => void,
  ) {
    this.#connection = connection;
    this.#handOn = handOn;
    this.#failed = failed;
  }

  /** @throws the library's error once the connection is closed. */
  send(id: string, method: string, params: readonly object[]): void {
    const source = new CancellationTokenSource();
    this.#sources.set(id, source);
    const answered = (reply: object) => {
      // A request that is no longer awaited may have left its id to another one.
      if (this.#sources.get(id) !== source) return;
      this.#sources.delete(id);
      this.#handOn({ id, ...reply });
    };
    this.#connection.sendRequest(method, ...params, source.token).then(
      (result) => answered({ result }),
      (error) => {
        if (error.code === ErrorCodes.MessageWriteError) this.#failed(error);
        else answered({ error: errorObject(error) });
      },
    );
  }

  cancel(id: string): void {
    this.#sources.get(id)?.cancel();
  }
}

/** The error of a response; the library has none with a code for a malformed response. */
function errorObject(error: { code?: unknown; message?: unknown; data?: unknown }): ErrorObject {
  const { code, message, data = null } = error;
  return {
    code: Number.isInteger(code) ? (code as number) : wireErrorCodes.InternalError,
    message: String(message),
    data,
  };
}
