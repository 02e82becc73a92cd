import { type HeardSession, LocalError } from "@askwire/protocol";
import type { AgentPeer } from "../contract/conversation.js";

/** A loop of the user over the lists. */
interface Reader {
  /** True if the list has changed since this reader took it. */
  isBehind: boolean;
  /** The end of the loop; with an error, if the loop is to throw. */
  end?: { readonly error?: unknown };
  /** Lets the reader look again. */
  wake: () => void;
}

type Change = readonly [sessions: readonly HeardSession[], closed: readonly string[]];

/**
 * The sessions of a server as this client knows them while they are watched, over all its connections (P-XSE-5). The
 * loops of the user share one watch. A slow loop skips to the newest list.
 */
export class WatchedSessions {
  readonly #readers = new Set<Reader>();
  #peer: AgentPeer | undefined;
  /** The sessions by id; undefined until the server has listed them on this connection. */
  #sessions: Map<string, HeardSession> | undefined;
  /** True from the moment at which the server is asked to watch. */
  #isAsked = false;
  /** Changes that came before this client has read the list. */
  #early: Change[] = [];
  /** Resolves once no change of an ended watch is on its way. */
  #unwatched: Promise<unknown> = Promise.resolve();
  #closed: Reader["end"];

  /** There is a new connection, on which nothing is watched yet. */
  attached(peer: AgentPeer): void {
    this.#peer = peer;
    this.#unwatched = Promise.resolve();
    this.#isAsked = false;
    void this.#watch(peer);
  }

  lost(): void {
    this.#peer = undefined;
    this.#forget();
  }

  changed(...change: Change): void {
    if (this.#sessions === undefined) return void this.#early.push(change);
    this.#apply(this.#sessions, change);
    this.#tell();
  }

  /** The session ends, and so does every loop. */
  close(cause: Error | undefined): void {
    this.#peer = undefined;
    this.#closed = cause === undefined ? {} : { error: cause };
    this.#finish(this.#closed);
  }

  /** Reads the list, and again whenever it has changed. */
  read(): AsyncIterableIterator<readonly HeardSession[], void, undefined> {
    const reader: Reader = { isBehind: true, wake() {} };
    const lists = this.#lists(reader);
    return {
      next: () => lists.next(),
      return() {
        reader.end ??= {};
        reader.wake();
        return lists.return();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async *#lists(reader: Reader): AsyncGenerator<readonly HeardSession[], void, undefined> {
    this.#join(reader);
    try {
      for (;;) {
        if (reader.end !== undefined) {
          if ("error" in reader.end) throw reader.end.error;
          return;
        }
        if (reader.isBehind && this.#sessions !== undefined) {
          reader.isBehind = false;
          yield [...this.#sessions.values()];
        } else {
          await new Promise<void>((resolve) => {
            reader.wake = resolve;
          });
        }
      }
    } finally {
      this.#leave(reader);
    }
  }

  #join(reader: Reader): void {
    if (this.#closed !== undefined) reader.end = this.#closed;
    this.#readers.add(reader);
    if (this.#readers.size === 1 && this.#peer !== undefined) void this.#watch(this.#peer);
  }

  #leave(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#forget();
    if (!this.#isAsked) return;
    this.#isAsked = false;
    // A connection that closes ends the watch too.
    this.#unwatched = this.#peer?.request("unwatch_sessions", undefined).catch(() => {}) ?? Promise.resolve();
  }

  async #watch(peer: AgentPeer): Promise<void> {
    await this.#unwatched;
    if (peer !== this.#peer || this.#readers.size === 0) return;
    this.#forget();
    this.#isAsked = true;
    try {
      const { sessions } = await peer.request("watch_sessions", undefined);
      if (peer !== this.#peer || this.#readers.size === 0) return;
      const listed = new Map(sessions.map((session) => [session.id, session]));
      for (const change of this.#early) this.#apply(listed, change);
      this.#forget();
      this.#sessions = listed;
      this.#tell();
    } catch (error) {
      // A lost connection is opened again, and the sessions are watched on the new one.
      if (peer !== this.#peer || (error instanceof LocalError && error.code === "CLOSED")) return;
      this.#isAsked = false;
      this.#finish({ error });
    }
  }

  #forget(): void {
    this.#sessions = undefined;
    this.#early = [];
  }

  #apply(listed: Map<string, HeardSession>, [sessions, closed]: Change): void {
    for (const session of sessions) listed.set(session.id, session);
    for (const id of closed) listed.delete(id);
  }

  /** Ends the loops that there are. */
  #finish(end: NonNullable<Reader["end"]>): void {
    for (const reader of this.#readers) reader.end ??= end;
    this.#tell();
  }

  #tell(): void {
    for (const reader of this.#readers) {
      reader.isBehind = true;
      reader.wake();
    }
  }
}
