import { dirname } from "node:path";
import { LocalError } from "@askwire/protocol";
import type { ObservedCommit } from "../measures/observer.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { mayBeLeft } from "../runtime/may-be-left.js";
import { type Disk, type DiskFile, writeAll } from "./disk.js";
import { type GroupCommit, groupCommit } from "./group-commit.js";

export interface KeptFileOptions {
  readonly disk: Disk;
  readonly path: string;
  /** True if what is demanded is synced, so that it outlives a power cut. */
  readonly syncs: boolean;
  /** More folders whose names are synced with the file, once. */
  readonly folders: readonly string[];
  readonly log: Log;
  /** Told once the file can be written no more, with the reason. Default: nobody is. */
  readonly onLost: ((why: LocalError) => void) | undefined;
  /** Told of each sync that makes records safe, or cannot. Default: nothing is measured. */
  readonly committed?: ((commit: ObservedCommit) => void) | undefined;
  /** Measures the syncs that are told. */
  readonly clock: Pick<Clock, "elapsed">;
}

/** Bytes since the last sync at which the next one is due, whoever demands it. */
const DUE = 4 * 1024 * 1024;
/** More bytes than these are not held for a second attempt, when a sync does not end. */
const MOST_HELD = 64 * 1024 * 1024;
const COPIED = 1024 * 1024;

/**
 * A file that grows at its end, for its owner alone. A write is whole or is cut back. A failed sync is never tried
 * again on the same file, since the system may have dropped what it could not write: all since the last good sync is
 * written to a new file, which replaces the old one. If that fails too, or another process has changed the file, it is
 * lost: nothing more is written.
 */
export class KeptFile {
  readonly #options: KeptFileOptions;
  readonly #commit: GroupCommit;
  #file: DiskFile;
  #length: number;
  /** The length that is known to be safe. */
  #safe: number;
  /** The bytes after that; undefined where they became too many. */
  #held: Uint8Array[] | undefined = [];
  #folders: readonly string[];
  #lost: LocalError | undefined;
  #closed = false;
  /** The records that were written since the last sync began. */
  #records = 0;

  /** @throws the system's error if the file cannot be opened or made. */
  constructor(options: KeptFileOptions) {
    const { disk, path, folders } = options;
    this.#options = options;
    this.#folders = [...folders, dirname(path)];
    this.#file = disk.open(path, "append");
    this.#length = this.#file.size();
    this.#safe = this.#length;
    this.#commit = groupCommit(options.committed === undefined ? () => this.#sync() : () => this.#measured());
    // An earlier process may have ended before it had synced what is acted upon from now on.
    if (this.#length > 0) this.demand();
  }

  /** The length of all that was written. */
  get length(): number {
    return this.#length;
  }

  /** True if nothing more can be written. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** True for a file that ends in a line feed, or is empty. */
  endsInLineFeed(): boolean {
    const last = Buffer.from("\n");
    if (this.#length > 0) this.#file.readSync(last, this.#length - 1);
    return last[0] === 0x0a;
  }

  /**
   * Adds bytes, all of them or none.
   *
   * @param records the number of records among them, for measures.
   * @throws the system's error, and LocalError CLOSED for a lost file.
   */
  write(bytes: Uint8Array, records: number): void {
    if (this.#lost !== undefined) throw this.#lost;
    if (this.#file.size() !== this.#length) throw this.#lose("another process has written to it");
    try {
      writeAll(this.#file, bytes);
    } catch (error) {
      this.#cutBack();
      throw error;
    }
    this.#length += bytes.length;
    this.#records += records;
    if (this.#options.syncs) this.#hold(bytes);
  }

  /** Has all that is written synced. */
  demand(): void {
    if (this.#options.syncs && this.#lost === undefined) this.#commit.demand();
  }

  /** Resolves once all that was demanded is safe, and rejects for a lost file; undefined where it is safe now. */
  synced(): Promise<void> | undefined {
    return this.#lost === undefined ? this.#commit.pending() : mayBeLeft(Promise.reject(this.#lost));
  }

  /** Closes the file once nothing is under way on it. */
  close(): void {
    this.#closed = true;
    const close = () => this.#file.close();
    const pending = this.#commit.pending();
    if (pending === undefined) close();
    else void pending.then(close, close).catch(() => {});
  }

  /** Part of a line must not swallow the next one. */
  #cutBack(): void {
    try {
      if (this.#file.size() > this.#length) this.#file.truncate(this.#length);
    } catch (error) {
      this.#lose(`part of a line cannot be removed: ${error}`);
    }
  }

  #hold(bytes: Uint8Array): void {
    if (this.#length - this.#safe > MOST_HELD) this.#held = undefined;
    this.#held?.push(bytes);
    if (this.#length - this.#safe > DUE) this.#commit.demand();
  }

  /** Syncs, and tells how long that took and what it was for. */
  async #measured(): Promise<void> {
    const { clock, committed } = this.#options;
    const records = this.#records;
    this.#records = 0;
    const since = clock.elapsed();
    const tell = (result: ObservedCommit["result"]) => {
      if (records > 0) committed?.({ tookMs: clock.elapsed() - since, records, result });
    };
    try {
      await this.#sync();
    } catch (error) {
      tell("lost");
      throw error;
    }
    tell("kept");
  }

  async #sync(): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost;
    const length = this.#length;
    const count = this.#held?.length ?? 0;
    try {
      await this.#file.sync();
      for (const folder of this.#folders) await this.#options.disk.syncFolder(folder);
    } catch (error) {
      return this.#replace(error);
    }
    this.#isSafe(length, count);
  }

  #isSafe(length: number, count: number): void {
    this.#folders = [];
    this.#safe = length;
    this.#held = this.#held === undefined && length === this.#length ? [] : this.#held?.slice(count);
  }

  async #replace(cause: unknown): Promise<void> {
    const { disk, path, log } = this.#options;
    log.error({ file: path, error: String(cause) }, "it cannot be synced; it is written anew");
    if (this.#closed) throw this.#lose("it cannot be synced");
    try {
      const next = this.#copied(`${path}.next`);
      const before = this.#file;
      const length = this.#length;
      const count = this.#held?.length ?? 0;
      this.#file = next;
      before.close();
      await next.sync();
      disk.rename(`${path}.next`, path);
      for (const folder of [...this.#folders, dirname(path)]) await disk.syncFolder(folder);
      this.#isSafe(length, count);
    } catch (error) {
      throw this.#lose(`it cannot be synced: ${error}`);
    }
  }

  /** A new file with the same bytes: those before the last good sync are read, those after it are still held. */
  #copied(path: string): DiskFile {
    if (this.#held === undefined) throw new Error("too much of it was written since the last time");
    const copy = this.#options.disk.open(path, "append");
    copy.truncate(0);
    for (let at = 0; at < this.#safe; ) {
      const chunk = Buffer.alloc(Math.min(COPIED, this.#safe - at));
      const count = this.#file.readSync(chunk, at);
      if (count === 0) throw new Error("it is shorter than it was");
      writeAll(copy, chunk.subarray(0, count));
      at += count;
    }
    for (const bytes of this.#held) writeAll(copy, bytes);
    return copy;
  }

  #lose(why: string): LocalError {
    if (this.#lost !== undefined) return this.#lost;
    const { path, log, onLost } = this.#options;
    const lost = new LocalError("CLOSED", `${path}: ${why}; nothing more of the session is kept`);
    this.#lost = lost;
    log.error({ file: path, why }, "nothing more of the session is kept");
    onLost?.(lost);
    return lost;
  }
}
