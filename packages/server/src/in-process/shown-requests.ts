import { type Outcome, WireError } from "@askwire/protocol";
import type { PersonRequest } from "../requests/core.js";
import type { Settlement } from "../requests/interaction.js";
import { Remembered } from "../runtime/remembered.js";
import type { UserInteractionRequest } from "./interaction-shapes.js";
import { createNews } from "./news.js";

/** A request, and the event that shows it. */
export interface Shown {
  readonly request: PersonRequest;
  readonly event: UserInteractionRequest;
}

/** Settled requests that are remembered at least, to refuse late answers. */
const REMEMBERED = 256;

/** The requests that wait for an answer on a channel, and the outcomes of those that did. */
export class ChannelRequests {
  readonly #sessionId: string;
  readonly #open = new Map<string, Shown>();
  readonly #settled = new Remembered<Outcome>(REMEMBERED);
  /** The requests that `next` has not given yet. */
  readonly #untaken = new Set<Shown>();
  readonly #news = createNews();
  #isClosed = false;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  get size(): number {
    return this.#open.size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  add(shown: Shown): void {
    const { request, event } = shown;
    this.#open.set(event.request_id, shown);
    this.#untaken.add(shown);
    // By the request itself: how it ends is remembered also where the channel is off it by then.
    request.onSettled(({ outcome }: Settlement<unknown>) => {
      this.remove(event.request_id);
      this.#settled.set(event.request_id, outcome);
    });
    this.#news.wake();
  }

  remove(id: string): void {
    const shown = this.#open.get(id);
    if (shown !== undefined) this.#untaken.delete(shown);
    this.#open.delete(id);
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /** True for an id that a request of the channel has, or had a while ago. */
  knows(id: string): boolean {
    return this.isOpen(id) || this.outcome(id) !== undefined;
  }

  /** The open requests of this moment. */
  all(): Shown[] {
    return [...this.#open.values()];
  }

  /** The outcome of a request that was settled; undefined for one that waits, or was settled long ago. */
  outcome(id: string): Outcome | undefined {
    return this.#settled.get(id);
  }

  /** @throws WireError SessionMismatch, AlreadyResolved or UnknownRequest for a request that does not wait here. */
  find(id: string, sessionId: string): Shown {
    const found = this.#open.get(id);
    const outcome = this.outcome(id);
    if ((found !== undefined || outcome !== undefined) && sessionId !== this.#sessionId) {
      throw new WireError("SessionMismatch", "Session mismatch for pending user interaction");
    }
    if (found !== undefined) return found;
    if (outcome !== undefined) {
      const why = "User interaction request is already resolved";
      throw new WireError("AlreadyResolved", why, { data: { outcome } });
    }
    const why = this.size === 0 ? "No pending user interaction" : "Unknown user interaction request id";
    throw new WireError("UnknownRequest", why);
  }

  /** The next request that still waits, each once; undefined once closed. */
  async next(signal: AbortSignal | undefined): Promise<UserInteractionRequest | undefined> {
    for (;;) {
      signal?.throwIfAborted();
      const [next] = this.#untaken;
      if (next !== undefined) {
        this.#untaken.delete(next);
        return next.event;
      }
      if (this.#isClosed) return undefined;
      await this.#news.next(signal);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#open.clear();
    this.#untaken.clear();
    this.#news.wake();
  }
}
