import type { AgentPeer, SignOfLife } from "../contract/conversation.js";
import type { Timing } from "../runtime/timing.js";

/** A look comes so long after the last, and asks the server at once while something is awaited, else at every third. */
const LOOK_MS = 5_000;
const IDLE_LOOKS = 3;
/** The time for a reply, which doubles up to the longest with each that did not come: a slow line is not a dead one. */
const FIRST_REPLY_MS = 5_000;
const LONGEST_REPLY_MS = 40_000;

export interface ClientSignsOfLifeOptions {
  readonly timing: Timing;
  /** True while a word of the server, or of a person here, is awaited. */
  readonly awaits: () => boolean;
  /** Told when no reply came in time. */
  readonly silent: () => void;
  /** Told at each reply that shows no lost message. */
  readonly whole: () => void;
  /** Told when messages were lost, in words. */
  readonly missing: (what: string) => void;
}

/**
 * Tells the server that this client lives, and compares the numbers of messages with its reply: what one side has sent
 * and the other has not had is lost (P-XAT-11, P-XCL-10).
 */
export class ClientSignsOfLife {
  readonly #options: ClientSignsOfLifeOptions;
  /** Undefined without a connection, and where the server does not reply to a sign of life. */
  #peer: AgentPeer | undefined;
  /** The number of messages sent before the sign of life that has no reply yet. */
  #sent: number | undefined;
  /** The looks since the last reply. */
  #looks = 0;
  /** The messages of this connection that are known to be lost. */
  #lost = 0;
  #replyMs = FIRST_REPLY_MS;
  #forget = () => {};

  constructor(options: ClientSignsOfLifeOptions) {
    this.#options = options;
  }

  attached(peer: AgentPeer): void {
    this.#peer = peer;
    this.#sent = undefined;
    this.#looks = this.#lost = 0;
    this.#wait();
  }

  /** There is no connection. */
  stop(): void {
    this.#forget();
    this.#peer = undefined;
  }

  /** Takes a sign of life: a reply, or else a question for one. */
  heard({ sent, received }: SignOfLife): void {
    const peer = this.#peer;
    if (peer === undefined) return;
    if (sent === undefined || received === undefined) {
      if (this.#sent === undefined) this.#ask(peer);
      return;
    }
    if (this.#sent === undefined) return;
    const lostThere = this.#sent - received;
    const lostHere = sent - (peer.traffic.received - 1);
    this.#sent = undefined;
    this.#looks = 0;
    this.#replyMs = FIRST_REPLY_MS;
    this.#wait();
    const lost = Math.max(0, lostThere) + Math.max(0, lostHere);
    if (lost === 0) this.#options.whole();
    if (lost <= this.#lost) return;
    this.#lost = lost;
    this.#options.missing(
      `${lostThere > 0 ? "the server has not had" : "this client has not had"} every message`,
    );
  }

  #wait(): void {
    this.#forget();
    this.#forget = this.#options.timing.after(LOOK_MS, () => this.#look(), false);
  }

  #look(): void {
    this.#looks += 1;
    const isDue = this.#looks >= IDLE_LOOKS || this.#options.awaits();
    if (this.#peer !== undefined && isDue) this.#ask(this.#peer);
    else this.#wait();
  }

  #ask(peer: AgentPeer): void {
    this.#sent = peer.traffic.sent;
    peer.notify("alive", { received: peer.traffic.received });
    this.#forget();
    this.#forget = this.#options.timing.after(this.#replyMs, () => this.#doubt(), false);
  }

  /** A reply may have come while this program was busy: what has come is read first. */
  #doubt(): void {
    this.#forget = this.#options.timing.after(
      0,
      () => {
        if (this.#peer === undefined || this.#sent === undefined) return;
        this.#sent = undefined;
        this.#replyMs = Math.min(2 * this.#replyMs, LONGEST_REPLY_MS);
        this.#wait();
        this.#options.silent();
      },
      false,
    );
  }
}
