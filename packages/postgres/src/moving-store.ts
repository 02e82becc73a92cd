import type { SessionStore, StoredCommit } from "@askwire/server";

/** A whole session on its way into a store. */
export interface BroughtSession {
  readonly id: string;
  /** The id of this move, by which it is known when it is tried again: one that no other move has. */
  readonly move: string;
  /** The move by which the session was last given away by a store; undefined for one that never was. */
  readonly after: string | undefined;
  readonly workDir: string | undefined;
  /** The first line of its first prompt. */
  readonly title: string | undefined;
  /** The time of its last record, in milliseconds since 1970. */
  readonly activeAt: number;
  /** The number of its last taking. The next one in the store has a higher number. */
  readonly generation: number;
  /** The list of what is open; null where nothing is. */
  readonly open: NonNullable<StoredCommit["open"]> | null;
  /** The lines of its journal, oldest first. */
  readonly lines: AsyncIterable<string>;
  /** The lines of the model's conversation. */
  readonly history: AsyncIterable<string>;
}

/** The last move of a session, as a store knows it. */
export interface StoredMove {
  readonly move: string;
  /** The words that say where the session is; undefined while it is in the store. */
  readonly movedTo?: string;
}

/** A store that takes whole sessions of other places, and gives them away. */
export interface MovingStore extends SessionStore {
  /**
   * Keeps a whole session in one transaction. A move that is made already is made no second time.
   *
   * @throws LocalError INVALID_STATE where the store has another session of that id, and CLOSED where the engine can
   *   never keep it: then nothing is kept. Any other error leaves open if it is: the same move may be tried again.
   */
  bring(session: BroughtSession): Promise<void>;
  /**
   * Gives away a session that this process has, once it is kept elsewhere: all of it is removed, and who takes it is told
   * where it is. Release it afterwards.
   *
   * @throws LocalError CLOSED where another process has taken the session: then nothing is removed. Any other error leaves
   *   open if it is.
   */
  giveAway(id: string, move: Required<StoredMove>): Promise<void>;
  /**
   * The last move of a session; undefined for one that never moved. Waits for a move that is under way in the engine, also
   * one whose process is dead: what is not there then does not come.
   *
   * @throws LocalError INVALID_STATE where that does not end in five seconds.
   */
  moveOf(id: string): Promise<StoredMove | undefined>;
}

/** A store of several processes that pass clients on to each other. */
export interface NodeStore extends MovingStore {
  /**
   * The address of the process that has a session, as it says it by `nodeAddress`. Undefined where no other process has
   * it, or that one has no address.
   */
  ownerOf(id: string): Promise<string | undefined>;
  /**
   * The sessions of a tenant, in a store that was made with `tenants: true` (P-TEN-5): no other call of this process, and
   * no id, finds them. Its `close` gives these sessions back; that of the store itself gives back all, and ends the
   * connections.
   *
   * @throws TypeError for a name that does not fit, and for a store without tenants.
   */
  tenant(name: string): NodeStore;
}
