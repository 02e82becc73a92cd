import { CheckFailure } from "../contract/check.js";
import type { ServerMessage, Wanted } from "./messages.js";

interface Waiter {
  readonly wanted: Wanted;
  resolve(message: ServerMessage): void;
  reject(error: CheckFailure): void;
}

/** The messages of a server. Each is given once, to the first who wants it. */
export class AwaitedMessages {
  /** Every message so far, given or not. */
  readonly all: ServerMessage[] = [];
  readonly #given = new Set<ServerMessage>();
  readonly #waiters = new Set<Waiter>();
  #over: ((wanted: string) => CheckFailure) | undefined;

  add(message: ServerMessage): void {
    this.all.push(message);
    const waiter = [...this.#waiters].find(({ wanted }) => wanted.fits(message));
    if (waiter === undefined) return;
    this.#waiters.delete(waiter);
    this.#given.add(message);
    waiter.resolve(message);
  }

  /** Gives a message that has come already; undefined if none fits. */
  take(wanted: Wanted): ServerMessage | undefined {
    const came = this.all.find((message) => !this.#given.has(message) && wanted.fits(message));
    if (came !== undefined) this.#given.add(came);
    return came;
  }

  /** @throws CheckFailure when nothing more comes. */
  wait(wanted: Wanted): Promise<ServerMessage> {
    if (this.#over !== undefined) throw this.#over(wanted.name);
    return new Promise((resolve, reject) => {
      this.#waiters.add({ wanted, resolve, reject });
    });
  }

  /** True while somebody waits, and only for messages that need not come. */
  get mayBeMissing(): boolean {
    return this.#waiters.size > 0 && ![...this.#waiters].some(({ wanted }) => wanted.isDue);
  }

  /** Fails all current waits once the last message that may fulfil them has come. */
  giveUpAfter(last: Wanted): void {
    const waiting = [...this.#waiters];
    const giveUp = () => {
      for (const waiter of waiting.filter((waiter) => this.#waiters.delete(waiter)))
        waiter.reject(
          new CheckFailure(waiter.wanted.name, "no such message by the time that all was answered"),
        );
    };
    this.#waiters.add({ wanted: last, resolve: giveUp, reject() {} });
  }

  /** Ends the input, with the failure for current and later waits. */
  finish(why: (wanted: string) => CheckFailure): void {
    this.#over ??= why;
    for (const { wanted, reject } of this.#waiters) reject(this.#over(wanted.name));
    this.#waiters.clear();
  }
}
