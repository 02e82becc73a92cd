import { ConnectionError, ConnectionErrors, type MessageConnection } from "vscode-jsonrpc";
import { LocalError } from "../errors.js";
import type { ChannelSink, MessageChannel } from "../framing/channel.js";
import type { Limits } from "../limits.js";
import { handOn } from "./hand-on.js";
import { onceQuiet } from "./quiet-turns.js";
import { type PendingReply, ReceivedRequests } from "./received-requests.js";
import { ReplyOrder } from "./reply-order.js";
import { SentRequests } from "./sent-requests.js";
import { UnsentWrites } from "./unsent-writes.js";

/** A message of the engine above. */
interface Sent extends PendingReply {
  readonly id?: string | null;
  readonly method?: string;
  readonly params?: object;
}

/**
 * A channel over a connection of `vscode-jsonrpc` (P-VSJ-2). The connection numbers the messages on the wire. Ids of
 * the engine above, and ids given here to received messages, stay on this side. The methods work without `this`.
 */
export class ConnectionChannel implements MessageChannel {
  readonly #connection: MessageConnection;
  readonly #received: ReceivedRequests;
  readonly #requests: SentRequests;
  readonly #unsent: UnsentWrites;
  readonly #order = new ReplyOrder();
  #sink: ChannelSink | undefined;
  #isOpen = true;
  #came = 0;
  /** Undefined after a request or a reply: the library reports nothing of their writing. */
  #lastWrite: Promise<void> | undefined = Promise.resolve();

  constructor(
    connection: MessageConnection,
    { unsentBytes, unansweredRequests }: Pick<Limits, "unsentBytes" | "unansweredRequests">,
  ) {
    const take = (message: object) => this.#take(message);
    const failed = (error: unknown) => this.#end(error as Error);
    this.#connection = connection;
    this.#received = new ReceivedRequests(unansweredRequests, take);
    this.#requests = new SentRequests(connection, take, failed);
    const full = () => {
      this.#end(new LocalError("CLOSED", `the other side left more than ${unsentBytes} bytes unread`));
      connection.dispose();
    };
    this.#unsent = new UnsentWrites(unsentBytes, full, failed);
  }

  send = (text: string): void => {
    if (!this.#isOpen) return;
    const message = JSON.parse(text) as Sent;
    // An error that names no request is about the one that is being handed on.
    const named = message.id === null ? { ...message, id: this.#received.beingHandedOn } : message;
    this.#order.add(() => this.#transmit(named, text.length));
  };

  listen = (sink: ChannelSink): void => {
    this.#sink = sink;
    try {
      this.#hear(sink);
      this.#connection.listen();
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if (error.code !== ConnectionErrors.AlreadyListening) this.#end(error);
    }
  };

  close = (): void => {
    if (!this.#isOpen) return;
    this.#end();
    this.#order.add(() => this.#leave());
  };

  drained = (bytes: number): Promise<void> => this.#unsent.drained(bytes);

  #hear(sink: ChannelSink): void {
    const connection = this.#connection;
    connection.onRequest(this.#received.take);
    connection.onNotification((method, params) => this.#take({ method, params }));
    connection.onClose(() =>
      onceQuiet(
        () => this.#came,
        () => this.#end(),
      ),
    );
    connection.onDispose(() => this.#end());
    connection.onError(([error, unwritten]) => {
      if (unwritten !== undefined) this.#end(error);
      else sink.unreadable?.(`Invalid message: ${error.message}`);
    });
  }

  #take(message: object): void {
    this.#came += 1;
    if (this.#sink !== undefined) handOn({ jsonrpc: "2.0", ...message }, this.#sink);
  }

  /** Sends a message. Returns the promise of a reply, which the library waits for. */
  #transmit({ id, method, params, ...reply }: Sent, length: number): Promise<unknown> | undefined {
    this.#lastWrite = undefined;
    if (method === undefined) return this.#received.answer(id ?? "", reply);
    if (method === "$/cancelRequest") {
      this.#requests.cancel((params as { id: string }).id);
      return;
    }
    const given = params === undefined ? [] : [params];
    try {
      if (id == null) this.#notify(method, given, length);
      else this.#requests.send(id, method, given);
    } catch {
      // The connection is closed, which ends whatever waits.
    }
  }

  #notify(method: string, params: readonly object[], length: number): void {
    this.#lastWrite = this.#connection.sendNotification(method, ...params);
    this.#unsent.add(length, this.#lastWrite);
  }

  #end(cause?: Error): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#unsent.end();
    this.#sink?.closed(cause);
  }

  /** Ends the connection once all is written. Writes that the library reports come after those that it does not. */
  #leave(): undefined {
    const done = () => {
      this.#connection.end();
      this.#connection.dispose();
    };
    try {
      // Has no effect (P-ENG-5).
      this.#lastWrite ??= this.#connection.sendNotification("$/cancelRequest", { id: "" });
      this.#lastWrite.then(done, done);
    } catch {
      done();
    }
  }
}
