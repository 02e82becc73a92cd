import { LocalError } from "@askwire/protocol";
import type { Timing } from "../runtime/timing.js";
import type { Delivery, DeliveryState } from "./delivery.js";

/** The time without a word of the server after which something sent counts as not delivered yet (P-XCL-9). */
export const WORD_MS = 5_000;

/** Something sent, before it has a state. */
type Sending = Delivery extends infer D ? (D extends Delivery ? Omit<D, "state"> : never) : never;

/** The way to tell {@link Deliveries} about one entry. */
export interface DeliveryEntry {
  /** The server has it; the entry stays until {@link DeliveryEntry.end}. */
  taken(): void;
  /** Reports the last state, and leaves the outbox. Later calls do nothing. */
  end(state: DeliveryState): void;
}

interface Open {
  readonly sending: Sending;
  readonly told: (state: DeliveryState) => void;
  state: DeliveryState;
  /** Stops the wait for a word. */
  forget(): void;
}

/** All that is on its way to the server, over all connections. Users bound what they add. */
export class Deliveries {
  readonly #timing: Timing;
  readonly #open = new Map<string, Open>();
  readonly #listeners = new Set<() => void>();
  #connection: "up" | "down" | "closed" = "down";
  /** Set where the server has a word for all that it is sent. */
  #hasWord = false;
  #listed: readonly Delivery[] | undefined;
  #waiters: { readonly resolve: () => void; readonly reject: (error: LocalError) => void }[] = [];
  #closed: LocalError | undefined;

  constructor(timing: Timing) {
    this.#timing = timing;
  }

  /** The present list, the same object until something changes. */
  current = (): readonly Delivery[] => {
    this.#listed ??= [...this.#open.values()].map(({ sending, state }) => ({ ...sending, state }));
    return this.#listed;
  };

  subscribe = (listener: () => void): (() => void) => {
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  };

  /** True while something has had no word for too long. */
  get isUndelivered(): boolean {
    for (const { state } of this.#open.values()) if (state.is === "undelivered") return true;
    return false;
  }

  /** Resolves while there is a connection. Rejects once there will be none. */
  async connection(): Promise<void> {
    if (this.#closed !== undefined) throw this.#closed;
    if (this.#connection === "up") return;
    await new Promise<void>((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  /** @param told called with each state, the last one among them. */
  add(sending: Sending, told: (state: DeliveryState) => void = () => {}): DeliveryEntry {
    const open: Open = { sending, told, state: { is: "undelivered" }, forget() {} };
    this.#open.set(sending.id, open);
    if (this.#connection === "up") this.#send(open);
    else this.#become(open, { is: "undelivered" });
    return {
      taken: () => {
        open.forget();
        if (this.#open.get(sending.id) === open) this.#become(open, { is: "taken" });
      },
      end: (state) => {
        open.forget();
        if (this.#open.get(sending.id) !== open) return;
        this.#open.delete(sending.id);
        this.#become(open, state);
      },
    };
  }

  /** There is a connection, on which all that waits is sent. `hasWord` is set in the extended profile. */
  connected(hasWord: boolean): void {
    this.#connection = "up";
    this.#hasWord = hasWord;
    for (const open of this.#waiting()) this.#send(open);
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { resolve } of waiters) resolve();
  }

  /** There is no connection for a while. */
  lost(): void {
    this.#connection = "down";
    for (const open of this.#waiting()) {
      open.forget();
      if (open.state.is !== "undelivered") this.#become(open, { is: "undelivered" });
    }
  }

  /** Nothing more is sent. */
  close(cause: Error | undefined): void {
    this.#connection = "closed";
    const problem = "the connection closed before the server had said whether it has this";
    this.#closed = cause instanceof LocalError ? cause : new LocalError("CLOSED", problem, { cause });
    for (const open of [...this.#open.values()]) {
      open.forget();
      this.#open.delete(open.sending.id);
      this.#become(open, open.state.is === "taken" ? open.state : { is: "failed", problem });
    }
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(this.#closed);
  }

  #waiting(): Open[] {
    return [...this.#open.values()].filter(({ state }) => state.is !== "taken");
  }

  #send(open: Open): void {
    open.forget();
    if (this.#hasWord) {
      const forget = this.#timing.after(WORD_MS, () => this.#become(open, { is: "undelivered" }));
      open.forget = forget;
    }
    this.#become(open, { is: "sending" });
  }

  #become(open: Open, state: DeliveryState): void {
    open.state = state;
    this.#listed = undefined;
    open.told(state);
    for (const listener of [...this.#listeners]) listener();
  }
}
