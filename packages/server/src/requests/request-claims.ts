import type { ActingClient, Addressees, Principal } from "@askwire/protocol";
import type { Clock } from "../runtime/clock.js";
import { isAddressee, type PersonWithRoles } from "./addressing.js";
import { personKey } from "./person-key.js";

/** Whoever takes requests: a person on all of their connections, or a client that the door knows nobody behind. */
export interface Holder {
  /** Equal for the connections of one holder. */
  readonly id: string;
  readonly by: ActingClient;
  /** The person, with the roles of this moment. */
  readonly person: () => PersonWithRoles;
}

/** A request that somebody has taken. */
export interface HeldClaim {
  readonly holder: Holder;
  /** Its end, in milliseconds since 1970. */
  readonly until: number;
}

interface Held extends HeldClaim {
  readonly ms: number;
  readonly cancel: () => void;
}

/** The time of a claim that names none, in milliseconds (P-XCM-1). */
const CLAIM_MS = 120_000;

/**
 * The id of a holder.
 *
 * @param clientId the id of the client, which counts where the door knows nobody.
 */
export const holderId = (principal: Principal | undefined, clientId: string): string =>
  principal === undefined ? clientId : personKey(principal);

/** The claims on the open requests of a session, at most one on each (P-XCM-1, P-XCM-2). */
export class RequestClaims {
  readonly #clock: Clock;
  readonly #changed: (requestId: string) => void;
  readonly #held = new Map<string, Held>();

  /** @param changed told of each claim that began, was made longer or ended before its request did. */
  constructor(clock: Clock, changed: (requestId: string) => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** True while a request is taken. */
  get any(): boolean {
    return this.#held.size > 0;
  }

  of(requestId: string): HeldClaim | undefined {
    return this.#held.get(requestId);
  }

  /** Takes a request, unless somebody else has it. Returns the claim that holds. */
  take(requestId: string, holder: Holder, ms = CLAIM_MS): HeldClaim {
    const before = this.#held.get(requestId);
    if (before !== undefined && before.holder.id !== holder.id) return before;
    return this.#hold(requestId, holder, ms);
  }

  /** The holder goes on: its time begins anew. Anybody else changes nothing. */
  renew(requestId: string, id: string): void {
    const held = this.#held.get(requestId);
    if (held?.holder.id === id) this.#hold(requestId, held.holder, held.ms);
  }

  /** The holder gives a request back. Anybody else changes nothing. */
  giveBack(requestId: string, id: string): void {
    if (this.#held.get(requestId)?.holder.id === id && this.forget(requestId)) this.#changed(requestId);
  }

  /** The holder is gone, with all that it has taken. */
  left(id: string): void {
    for (const requestId of [...this.#held.keys()]) this.giveBack(requestId, id);
  }

  /** Ends the claims on requests that are no longer for those who took them (P-XTO-2). */
  review(toOf: (requestId: string) => Addressees | undefined): void {
    for (const [requestId, { holder }] of [...this.#held]) {
      if (!isAddressee(toOf(requestId), holder.person())) this.giveBack(requestId, holder.id);
    }
  }

  /** Ends the claim on a request that is over. Returns whether there was one. */
  forget(requestId: string): boolean {
    this.#held.get(requestId)?.cancel();
    return this.#held.delete(requestId);
  }

  /** Ends all of them, and tells nobody. */
  close(): void {
    for (const requestId of [...this.#held.keys()]) this.forget(requestId);
  }

  #hold(requestId: string, holder: Holder, ms: number): HeldClaim {
    this.forget(requestId);
    const cancel = this.#clock.after(ms, () => this.giveBack(requestId, holder.id));
    const held = { holder, ms, until: this.#clock.now() + ms, cancel };
    this.#held.set(requestId, held);
    this.#changed(requestId);
    return held;
  }
}
