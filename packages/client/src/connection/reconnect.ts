import { LocalError, type MessageChannel } from "@askwire/protocol";
import type { ConnectionState } from "../contract/session.js";
import type { Timing } from "../runtime/timing.js";

/** The longest first wait and the longest wait of all, in milliseconds (P-XCL-2). */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Looks without a message until the connection counts as dead: after 40 s, at most 50 s (P-XCL-5). */
const SILENT_LOOKS = 4;
const LOOK_MS = 10_000;

/** An end after which no connection is opened again, such as a refusal by the server. */
export class FinalError extends LocalError {}

/** A connection as {@link KeptConnection} knows it. */
interface Opened {
  readonly closed: Promise<Error | undefined>;
  close(code?: number): void;
}

/** The dependencies of {@link KeptConnection}. */
export interface KeptConnectionOptions<T extends Opened> {
  /** Opens a connection. Rejects on failure, and when the signal is aborted; the first attempt has no signal. */
  open(stop?: AbortSignal): Promise<T>;
  /** Called with each new connection. */
  opened(connection: T): void;
  /** Decides if a lost connection is opened again. */
  isKept(): boolean;
  /** Called when the connection is lost. A new attempt follows after `retryInMs` milliseconds. */
  lost(cause: Error, retryInMs: number): void;
  /** Called once, when no further connection will be opened. */
  ended(cause: Error | undefined): void;
  readonly timing: Timing;
}

/** A connection that is opened again when it is lost (P-XCL-2). */
export class KeptConnection<T extends Opened> {
  readonly #options: KeptConnectionOptions<T>;
  /** Aborts the attempt to open a connection again. Made before the first such attempt. */
  #stop: AbortController | undefined;
  /** Connections lost since the last one that worked. */
  #failures = 0;
  /** Takes back the next attempt; undefined outside of a wait. */
  #forgetWait: (() => void) | undefined;
  #closing = false;
  #state: ConnectionState = "lost";
  #latest: T | undefined;
  #settle: (cause: Error | undefined) => void = () => {};
  /** Resolves when no further connection will be opened. */
  readonly closed: Promise<Error | undefined>;

  constructor(options: KeptConnectionOptions<T>) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The current connection, or the last one. Undefined before the first. */
  get latest(): T | undefined {
    return this.#latest;
  }

  /**
   * Opens a connection. Rejects on failure; the first connection is not tried again.
   *
   * @param stop gives the attempt up.
   */
  async open(stop: AbortSignal | undefined = this.#stop?.signal): Promise<void> {
    const connection = await this.#options.open(stop);
    if (this.#state === "closed") return connection.close();
    this.#latest = connection;
    this.#state = "connected";
    void connection.closed.then((cause) => this.#gone(connection, cause));
    this.#options.opened(connection);
  }

  /** Gives the connection up for a new one, if a new one can be opened. */
  reopen(why: Error, code: number): boolean {
    if (this.#state !== "connected" || !this.#options.isKept()) return false;
    const connection = this.#latest;
    this.#lost(why);
    connection?.close(code);
    return true;
  }

  /** Notes that the connection works. The next wait is short again. */
  works(): void {
    this.#failures = 0;
  }

  /** Opens a lost connection at once instead of at the end of its wait. */
  retry(): void {
    if (this.#forgetWait === undefined) return;
    this.#forgetWait();
    this.#again();
  }

  close(): Promise<Error | undefined> {
    this.#closing = true;
    if (this.#state === "connected") this.#latest?.close();
    else this.#end(undefined);
    return this.closed;
  }

  /** Takes the end of a connection. An end without a cause is an orderly end. */
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
    this.#forgetWait = timing.after(retryInMs, () => this.#again());
    this.#options.lost(cause, retryInMs);
  }

  /** Opens a lost connection. */
  #again(): void {
    this.#forgetWait = undefined;
    this.open().catch((error: unknown) => {
      if (this.#state !== "closed") this.#lost(error instanceof Error ? error : new Error(String(error)));
    });
  }

  #end(cause: Error | undefined): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#forgetWait?.();
    this.#forgetWait = undefined;
    this.#stop?.abort();
    this.#options.ended(cause);
    this.#settle(cause);
  }
}

/** Calls `silent` when nothing comes over a channel for too long (P-XCL-5). */
export function watchSilence(channel: MessageChannel, timing: Timing, silent: () => void): MessageChannel {
  let looks = 0;
  let forget = () => {};
  const look = () => {
    looks += 1;
    // The watch continues where `silent` changes nothing, as before the introduction.
    forget = timing.after(LOOK_MS, look);
    if (looks > SILENT_LOOKS) silent();
  };
  return {
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
