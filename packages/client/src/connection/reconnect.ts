import { LocalError, type MessageChannel } from "@askwire/protocol";
import type { ConnectionState } from "../contract/session.js";
import type { Timing } from "../runtime/timing.js";

/** The longest first wait and the longest of all, in milliseconds (P-XCL-2). */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** After so many looks without a message the connection counts as dead: 40 s, at most 10 s more (P-XCL-5). */
const SILENT_LOOKS = 4;
const LOOK_MS = 10_000;

/** An end after which nobody connects again, such as a refusal by the server. */
export class FinalError extends LocalError {}

/** A connection as {@link KeptConnection} knows it. */
interface Opened {
  readonly closed: Promise<Error | undefined>;
  close(code?: number): void;
}

/** What {@link KeptConnection} needs to know. */
export interface KeepOptions<T extends Opened> {
  /** Opens a connection. Rejects when it fails, and when the signal is aborted; the first has none. */
  open(stop?: AbortSignal): Promise<T>;
  /** A connection was opened. */
  opened(connection: T): void;
  /** Whether a lost one is opened again. */
  isKept(): boolean;
  /** It is lost, and opened again after a while. */
  lost(cause: Error, retryInMs: number): void;
  /** Nothing is opened any more. Called once. */
  ended(cause: Error | undefined): void;
  readonly timing: Timing;
}

/** A connection that is opened again when it is lost (P-XCL-2). */
export class KeptConnection<T extends Opened> {
  readonly #options: KeepOptions<T>;
  /** Made when a connection is opened again. */
  #stop: AbortController | undefined;
  /** Connections that were lost since one worked. */
  #failures = 0;
  #forgetWait = () => {};
  #closing = false;
  #state: ConnectionState = "lost";
  #latest: T | undefined;
  #settle: (cause: Error | undefined) => void = () => {};
  /** Resolves when nothing is opened any more. */
  readonly closed: Promise<Error | undefined>;

  constructor(options: KeepOptions<T>) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The connection of now, or the last one. Undefined before the first. */
  get latest(): T | undefined {
    return this.#latest;
  }

  /** Opens a connection. Rejects when that fails; the first is not tried again then. */
  async open(): Promise<void> {
    const connection = await this.#options.open(this.#stop?.signal);
    if (this.#state === "closed") return connection.close();
    this.#latest = connection;
    this.#state = "connected";
    void connection.closed.then((cause) => this.#gone(connection, cause));
    this.#options.opened(connection);
  }

  /** Gives the connection up for a new one, if one can be opened. */
  reopen(why: Error, code: number): boolean {
    if (this.#state !== "connected" || !this.#options.isKept()) return false;
    const connection = this.#latest;
    this.#lost(why);
    connection?.close(code);
    return true;
  }

  /** It works: the next wait is short again. */
  works(): void {
    this.#failures = 0;
  }

  close(): Promise<Error | undefined> {
    this.#closing = true;
    if (this.#state === "connected") this.#latest?.close();
    else this.#end(undefined);
    return this.closed;
  }

  /** An end that has no cause is an orderly one. */
  #gone(connection: T, cause: Error | undefined): void {
    if (connection !== this.#latest || this.#state !== "connected") return;
    if (this.#closing || cause === undefined || !this.#options.isKept()) this.#end(cause);
    else this.#lost(cause);
  }

  #lost(cause: Error): void {
    if (cause instanceof FinalError) return this.#end(cause);
    const { timing } = this.#options;
    const longest = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
    const retryInMs = Math.round((longest / 2) * (1 + timing.random()));
    this.#failures += 1;
    this.#state = "lost";
    this.#stop ??= new AbortController();
    this.#forgetWait = timing.after(retryInMs, () => {
      this.open().catch((error: unknown) => {
        if (this.#state !== "closed") this.#lost(error instanceof Error ? error : new Error(String(error)));
      });
    });
    this.#options.lost(cause, retryInMs);
  }

  #end(cause: Error | undefined): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#forgetWait();
    this.#stop?.abort();
    this.#options.ended(cause);
    this.#settle(cause);
  }
}

/** Tells of a channel on which nothing comes (P-XCL-5). */
export function watchSilence(channel: MessageChannel, timing: Timing, silent: () => void): MessageChannel {
  let looks = 0;
  let forget = () => {};
  const look = () => {
    looks += 1;
    if (looks > SILENT_LOOKS) silent();
    else forget = timing.after(LOOK_MS, look);
  };
  return {
    get integerIds() {
      return channel.integerIds === true;
    },
    send: (text) => channel.send(text),
    drained: (bytes) => channel.drained(bytes),
    close(code, reason) {
      forget();
      channel.close(code, reason);
    },
    listen(sink) {
      forget = timing.after(LOOK_MS, look);
      channel.listen({
        ...sink,
        message(text) {
          looks = 0;
          sink.message(text);
        },
        closed(cause) {
          forget();
          sink.closed(cause);
        },
      });
    },
  };
}
