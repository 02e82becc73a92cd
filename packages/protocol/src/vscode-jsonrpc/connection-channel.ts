import {
  type CancellationToken,
  CancellationTokenSource,
  ConnectionError,
  ConnectionErrors,
  ErrorCodes,
  type MessageConnection,
  ResponseError,
} from "vscode-jsonrpc";
import { type ErrorObject, LocalError, wireErrorCodes } from "../errors.js";
import type { ChannelSink, MessageChannel } from "../framing/channel.js";
import { overloaded } from "../framing/engine.js";
import type { Limits } from "../limits.js";
import { handOn } from "./hand-on.js";
import { onceQuiet } from "./quiet-turns.js";
import { ReplyOrder } from "./reply-order.js";
import { UnsentWrites } from "./unsent-writes.js";

/** A message of the engine above. */
interface Sent {
  readonly id?: string | null;
  readonly method?: string;
  readonly params?: object;
  readonly result?: unknown;
  readonly error?: ErrorObject;
}

/**
 * Makes a channel of a connection of `vscode-jsonrpc` (P-VSJ-2). The connection numbers the messages on the wire. Ids
 * of the engine above, and ids given here to received messages, stay on this side.
 */
export function connectionChannel(
  connection: MessageConnection,
  { unsentBytes, unansweredRequests }: Pick<Limits, "unsentBytes" | "unansweredRequests">,
): MessageChannel {
  let sink: ChannelSink | undefined;
  let open = true;
  let came = 0;
  /** Replies to requests of the other side, by ids that are given here. */
  const replies = new Map<string, (reply: Sent) => Promise<unknown>>();
  let lastId = 0;
  let beingHandedOn: string | undefined;
  /** Requests of this side, by the ids of the engine above. */
  const requests = new Map<string, CancellationTokenSource>();
  const order = new ReplyOrder();
  /** Undefined after a request or a reply: of their writing the library tells nothing. */
  let lastWrite: Promise<void> | undefined = Promise.resolve();
  const unsent = new UnsentWrites(unsentBytes, giveUp, (error) => end(error as Error));

  function end(cause?: Error): void {
    if (!open) return;
    open = false;
    unsent.end();
    sink?.closed(cause);
  }

  function giveUp(): void {
    end(new LocalError("CLOSED", `the other side left more than ${unsentBytes} bytes unread`));
    connection.dispose();
  }

  function take(message: object): void {
    came += 1;
    if (sink !== undefined) handOn({ jsonrpc: "2.0", ...message }, sink);
  }

  function takeRequest(method: string, params: unknown, token: CancellationToken): Promise<unknown> {
    // Some requests are never answered, such as an event with an id; the engine above counts the others.
    if (replies.size >= 2 * unansweredRequests) {
      const { code, message, data } = overloaded(unansweredRequests);
      return Promise.reject(new ResponseError(code, message, data));
    }
    lastId += 1;
    const id = String(lastId);
    const answered = new Promise<unknown>((resolve, reject) => {
      replies.set(id, ({ result, error }) => {
        replies.delete(id);
        if (error === undefined) resolve(result);
        else reject(new ResponseError(error.code, error.message, error.data));
        return answered;
      });
    });
    beingHandedOn = id;
    take({ id, method, params });
    beingHandedOn = undefined;
    const cancel = () => take({ method: "$/cancelRequest", params: { id } });
    // The token of a request that was cancelled while it waited in the queue tells nothing.
    if (token.isCancellationRequested) cancel();
    else token.onCancellationRequested(cancel);
    return answered;
  }

  function transmit({ id, method, params, ...reply }: Sent, length: number): Promise<unknown> | undefined {
    lastWrite = undefined;
    if (method === "$/cancelRequest") {
      requests.get((params as { id: string }).id)?.cancel();
      return;
    }
    if (method === undefined) return replies.get(id ?? "")?.(reply);
    const given = params === undefined ? [] : [params];
    try {
      if (id != null) return request(id, method, given);
      lastWrite = connection.sendNotification(method, ...given);
      unsent.add(length, lastWrite);
    } catch {
      // The connection is closed, which ends whatever waits.
    }
  }

  function request(id: string, method: string, params: readonly object[]): undefined {
    const source = new CancellationTokenSource();
    requests.set(id, source);
    const answered = (reply: object) => {
      // A request that is no longer awaited may have left its id to another one.
      if (requests.get(id) !== source) return;
      requests.delete(id);
      take({ id, ...reply });
    };
    connection.sendRequest(method, ...params, source.token).then(
      (result) => answered({ result }),
      (error) => {
        if (error.code === ErrorCodes.MessageWriteError) end(error);
        else answered({ error: errorObject(error) });
      },
    );
  }

  /** Ends the connection once all is written. Writes that the library reports come after those that it does not. */
  function leave(): undefined {
    const done = () => {
      connection.end();
      connection.dispose();
    };
    try {
      // Has no effect (P-ENG-5).
      lastWrite ??= connection.sendNotification("$/cancelRequest", { id: "" });
      lastWrite.then(done, done);
    } catch {
      done();
    }
  }

  return {
    send(text) {
      if (!open) return;
      const message = JSON.parse(text) as Sent;
      // An error that names no request is about the one that is being handed on.
      const named = message.id === null ? { ...message, id: beingHandedOn ?? null } : message;
      order.add(() => transmit(named, text.length));
    },
    listen(listener) {
      sink = listener;
      try {
        connection.onRequest(takeRequest);
        connection.onNotification((method, params) => take({ method, params }));
        connection.onClose(() => onceQuiet(() => came, end));
        connection.onDispose(() => end());
        connection.onError(([error, unwritten]) => {
          if (unwritten !== undefined) end(error);
          else listener.unreadable?.(`Invalid message: ${error.message}`);
        });
        connection.listen();
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        if (error.code !== ConnectionErrors.AlreadyListening) end(error);
      }
    },
    close() {
      if (!open) return;
      end();
      order.add(leave);
    },
    drained: (bytes) => unsent.drained(bytes),
  };
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
