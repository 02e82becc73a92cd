import type { InteractionKind } from "./entries.js";

/** The number of ids kept while looking for settlements. Beyond that the oldest counts as unsettled. */
const MOST_OPEN = 10_000;

/** A request that was recorded and not settled. */
export interface UnsettledRequest {
  readonly request_id: string;
  readonly kind: InteractionKind;
}

/** A model's ids of tool calls repeat, so one id may be open several times. Any other id is one request's. */
interface OpenRequest extends UnsettledRequest {
  readonly times: number;
}

/** Gathers the requests of a journal without a settlement (P-JRN-6). */
export class UnsettledRequests {
  readonly #open = new Map<unknown, OpenRequest>();
  readonly #given: UnsettledRequest[] = [];

  opened(request_id: string, kind: InteractionKind): void {
    const { times = 0 } = this.#open.get(request_id) ?? {};
    this.#open.set(request_id, { request_id, kind, times: kind === "tool_call" ? times + 1 : 1 });
    const [oldest] = this.#open.size > MOST_OPEN ? this.#open.values() : [];
    if (oldest !== undefined) this.#give(oldest);
  }

  settled(id: unknown): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    if (request.times === 1) this.#open.delete(id);
    else this.#open.set(id, { ...request, times: request.times - 1 });
  }

  /** The requests, oldest first, but for those that go on. */
  left(goOn: ReadonlySet<string>): UnsettledRequest[] {
    for (const request of this.#open.values()) this.#give(request);
    return this.#given.filter(({ request_id }) => !goOn.has(request_id));
  }

  #give({ request_id, kind, times }: OpenRequest): void {
    this.#open.delete(request_id);
    for (let time = 0; time < times; time += 1) this.#given.push({ request_id, kind });
  }
}
