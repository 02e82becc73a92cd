import { Room, unitsOf } from "@askwire/protocol/internal";
import type { AgentCall } from "./tool-call.js";

/** The calls that are under way, and the UTF-16 units of all. */
const MOST_CALLS = { count: 1_000, units: 64 * 1_048_576 };

/** The calls of an agent that are under way, by their ids, the oldest first. */
export class CallsUnderWay {
  readonly #calls = new Map<string, { readonly call: AgentCall; readonly units: number }>();
  readonly #room = new Room(MOST_CALLS);

  /** The oldest call where there are too many: it has to end. */
  get tooMany(): AgentCall | undefined {
    return this.#room.isOver ? this.values().next().value : undefined;
  }

  get size(): number {
    return this.#calls.size;
  }

  get(id: string): AgentCall | undefined {
    return this.#calls.get(id)?.call;
  }

  has(id: string): boolean {
    return this.#calls.has(id);
  }

  /** Keeps a call in its place, or behind the others. `added` is what has come to it, where the rest is as it was. */
  set(id: string, call: AgentCall, added?: unknown): void {
    const before = this.#calls.get(id)?.units;
    if (before !== undefined) this.#room.leave(before);
    const units = added === undefined ? unitsOf(call) : (before ?? 0) + unitsOf(added);
    this.#room.put(units);
    this.#calls.set(id, { call, units });
  }

  delete(id: string): void {
    const before = this.#calls.get(id)?.units;
    if (before !== undefined) this.#room.leave(before);
    this.#calls.delete(id);
  }

  *values(): Generator<AgentCall> {
    for (const { call } of this.#calls.values()) yield call;
  }

  *[Symbol.iterator](): Generator<readonly [string, AgentCall]> {
    for (const [id, { call }] of this.#calls) yield [id, call];
  }
}
