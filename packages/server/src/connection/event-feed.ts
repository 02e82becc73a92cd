import type { IncomingCall } from "@askwire/protocol";
import type { Counted } from "../session/answers.js";
import type { EventLog, LogEntry } from "../session/event-log.js";

export interface EventFeedOptions {
  readonly log: EventLog;
  /** Sends an entry of the log; gives how many UTF-16 units that were. */
  readonly send: (entry: LogEntry, isLive: boolean) => number;
  /** Resolves once at most that many bytes wait to be sent. */
  readonly drained: (bytes: number) => Promise<void>;
  /** Told when the client has what it missed, and from then on is sent each event as it comes. */
  readonly onLive: () => void;
  /** Told when what the client is to be sent next has left the log. */
  readonly onLate: () => void;
}

/** The most characters for a returning client between two checks of its pace, and the most that may then wait. */
const BURST = 32 * 1024;

/** Sends one client a session's events, in their order and at its own pace (P-XAT-5, P-XAT-7). */
export class EventFeed {
  readonly #options: EventFeedOptions;
  #sent = 0;
  #isLive = false;
  /** The entries behind a reply that is about to be sent. */
  #held: LogEntry[] | undefined;
  #unfollow = () => {};

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /** The number of the last event that was sent. */
  get sent(): number {
    return this.#sent;
  }

  /** True once the client has all missed events. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Begins with the event after `seq`. Sends a first burst before returning. */
  start(seq: number): void {
    this.#sent = seq;
    this.#unfollow = this.#options.log.follow(() => {
      if (this.#isLive) this.#sendUpTo(Number.POSITIVE_INFINITY);
    });
    void this.#catchUp();
  }

  stop(): void {
    this.#unfollow();
    this.#isLive = false;
    this.#unfollow = () => {};
  }

  /**
   * Replies to an answer of the client. Where the reply has the number of the next event, that event is not sent: the
   * reply comes in its place (P-XAN-2). Any other reply is returned without marks, and the event is sent as ever.
   */
  reply(call: IncomingCall, read: () => Counted): Counted {
    if (!this.#isLive || this.#held !== undefined) return unmarked(read());
    const first = this.#sent + 1;
    const held: LogEntry[] = [];
    this.#held = held;
    call.afterReply(() => {
      this.#held = undefined;
      for (const entry of held) this.#options.send(entry, true);
    });
    const reply = read();
    const place = (reply.seq ?? 0) - first;
    if (held[place] === undefined) return unmarked(reply);
    for (const entry of held.splice(0, place + 1).slice(0, place)) this.#options.send(entry, true);
    return reply;
  }

  async #catchUp(): Promise<void> {
    const unfollow = this.#unfollow;
    while (!this.#sendUpTo(BURST)) {
      await this.#options.drained(BURST);
      if (this.#unfollow !== unfollow) return;
    }
    if (this.#unfollow !== unfollow) return;
    this.#isLive = true;
    this.#options.onLive();
  }

  /** True if nothing is left to send. */
  #sendUpTo(length: number): boolean {
    const { log, send, onLate } = this.#options;
    let sent = 0;
    while (this.#sent < log.seq) {
      if (sent >= length) return false;
      const entry = log.at(this.#sent + 1);
      if (entry === undefined) {
        this.stop();
        onLate();
        return true;
      }
      this.#sent += 1;
      if (this.#held === undefined) sent += send(entry, this.#isLive);
      else this.#held.push(entry);
    }
    return true;
  }
}

/** A reply beside its event. */
const unmarked = ({ outcome, open }: Counted): Counted =>
  open === undefined ? { outcome } : { outcome, open };
