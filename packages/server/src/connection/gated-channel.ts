import { type ChannelSink, closeCodes, type MessageChannel } from "@askwire/protocol";
import type { Clock } from "../runtime/clock.js";
import { type Synced, SyncGate } from "../session/sync-gate.js";
import { HeldInput } from "./held-input.js";

/** The time that a connection which ends waits for the disk, in milliseconds. */
const CLOSE_MS = 2_000;
/** UTF-16 units that wait for the disk at most, in each direction. */
const HELD = 64 * 1024 * 1024;

/**
 * A connection's channel behind its session's journal: a message leaves once all records that were made before it are
 * safe on disk, in the order of the messages (P-DUR-5), and is read once the session is open. A connection for which too
 * much waits is closed with 4408, as one whose other side does not read (P-LIM-5).
 */
export class GatedChannel implements MessageChannel {
  readonly #channel: MessageChannel;
  readonly #clock: Clock;
  #gate: SyncGate | undefined;
  /** UTF-16 units of the messages that wait. */
  #length = 0;
  #isClosed = false;
  #input: HeldInput | undefined;
  /** Ends the waits of `drained`; made with the first. */
  #ended: Promise<void> | undefined;
  #end = () => {};

  constructor(channel: MessageChannel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  get stringIds(): boolean {
    return this.#channel.stringIds === true;
  }

  get bytesRead(): number {
    return this.#channel.bytesRead ?? 0;
  }

  /** Names the session whose records the messages wait for from now on. */
  standBehind(synced: Synced): void {
    this.#gate = new SyncGate(synced);
  }

  /** @param isAhead set for a message that tells nothing of any record. */
  send(text: string, isAhead?: true | undefined): void {
    if (this.#isClosed) return;
    if (this.#gate === undefined || this.#gate.isOpen) return this.#channel.send(text);
    if (isAhead) return this.#sendAhead(text, this.#gate);
    const isFirst = this.#length === 0;
    this.#length += text.length;
    this.#gate.pass(() => {
      this.#length -= text.length;
      this.#channel.send(text);
    });
    if (this.#length > HELD && !isFirst) this.#tooSlow();
  }

  #sendAhead(text: string, gate: SyncGate): void {
    gate.passAhead(() => {
      if (!this.#isClosed) this.#channel.send(text);
    });
  }

  listen(sink: ChannelSink): void {
    this.#input = new HeldInput(sink, HELD, () => this.#tooSlow());
    this.#channel.listen(this.#input);
  }

  /** Lets no message be read until a promise, which never rejects, has settled. */
  hold(until: Promise<unknown>): void {
    this.#channel.hold?.(until);
    this.#input?.hold(until);
  }

  close(code?: number, reason?: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input?.drop();
    const last = this.#gate?.last;
    if (last === undefined) return this.#channel.close(code, reason);
    const end = () => {
      cancel();
      this.#gate?.drop();
      this.#end();
      this.#channel.close(code, reason);
    };
    const cancel = this.#clock.after(CLOSE_MS, end);
    last.then(end, end);
  }

  drained(bytes: number): Promise<void> {
    const next = this.#length > bytes && !this.#isClosed ? this.#gate?.next : undefined;
    if (next === undefined) return this.#channel.drained(bytes);
    this.#ended ??= new Promise((resolve) => {
      this.#end = resolve;
    });
    return Promise.race([next.catch(() => {}), this.#ended]).then(() => this.drained(bytes));
  }

  #tooSlow(): void {
    this.#gate?.drop();
    this.#length = 0;
    this.#end();
    this.close(closeCodes.TooSlow, "too slow: reconnect");
  }
}
