import type { Clock } from "../runtime/clock.js";

/** The longest silence towards a client, in milliseconds (P-XAT-9). */
const SILENCE_MS = 15_000;
/** The longest silence of a client that says that it lives, while something is awaited and else (P-XAT-12). */
const AWAITED_MS = 5_000;
const IDLE_MS = 15_000;
/** The time for the sign of life that a client was asked for. */
const REPLY_MS = 5_000;

export interface ServerSignsOfLifeOptions {
  readonly clock: Clock;
  /** True for a client that says that it lives. Of another one nothing is expected. */
  readonly isMutual: boolean;
  /** The bytes that have come from the client: part of a long message is a sign of life. */
  readonly bytesRead: () => number;
  /** True while a word on something of this connection is awaited. */
  readonly awaits: () => boolean;
  /** Tells the client that the connection lives, and so asks for its word. */
  readonly tell: () => void;
  /** Told when the client's word did not come. Called once. */
  readonly silent: () => void;
}

/** Lets a client know that its connection lives, and finds out when the client does not (P-XAT-9, P-XAT-12). */
export class ServerSignsOfLife {
  readonly #options: ServerSignsOfLifeOptions;
  #sentAt = 0;
  #heardAt = 0;
  /** The time at which the client was asked for a word that has not come. */
  #askedAt: number | undefined;
  /** The bytes that had come by then. */
  #bytes = 0;
  #cancel = () => {};

  constructor(options: ServerSignsOfLifeOptions) {
    this.#options = options;
  }

  start(): void {
    this.#sentAt = this.#heardAt = this.#options.clock.elapsed();
    this.#wait();
  }

  stop(): void {
    this.#cancel();
  }

  /** The client was sent something. */
  sent(): void {
    this.#sentAt = this.#options.clock.elapsed();
  }

  /** The client said that it lives. */
  heard(): void {
    this.#heardAt = this.#options.clock.elapsed();
    this.#askedAt = undefined;
  }

  #wait(): void {
    const { clock, isMutual } = this.#options;
    const now = clock.elapsed();
    const toTell = SILENCE_MS - (now - this.#sentAt);
    const toHear =
      this.#askedAt === undefined
        ? AWAITED_MS - ((now - this.#heardAt) % AWAITED_MS)
        : REPLY_MS - (now - this.#askedAt);
    this.#cancel = clock.after(Math.max(0, isMutual ? Math.min(toTell, toHear) : toTell), () => this.#look());
  }

  #look(): void {
    const { clock, isMutual, awaits } = this.#options;
    const now = clock.elapsed();
    if (isMutual && this.#askedAt !== undefined && now - this.#askedAt >= REPLY_MS) return this.#doubt();
    const isQuiet = isMutual && now - this.#heardAt >= (awaits() ? AWAITED_MS : IDLE_MS);
    if (isQuiet && this.#askedAt === undefined) this.#ask(now);
    else if (now - this.#sentAt >= SILENCE_MS) this.#tell(now);
    this.#wait();
  }

  #ask(now: number): void {
    this.#askedAt = now;
    this.#bytes = this.#options.bytesRead();
    this.#tell(now);
  }

  #tell(now: number): void {
    this.#sentAt = now;
    this.#options.tell();
  }

  /** The word may have come while this process was busy: what has come is read first. */
  #doubt(): void {
    const { clock, silent, bytesRead } = this.#options;
    this.#cancel = clock.after(0, () => {
      if (this.#askedAt !== undefined && bytesRead() === this.#bytes) return silent();
      this.heard();
      this.#wait();
    });
  }
}
