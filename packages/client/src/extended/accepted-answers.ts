import type { AnswerParams } from "@askwire/protocol";
import { Room, unitsOf } from "@askwire/protocol/internal";
import { askedBy, digest } from "../contract/request-key.js";

/** The most answers, and the UTF-16 units of all. */
const MOST = { count: 256, units: 16 * 1_048_576 };

interface Accepted {
  readonly params: AnswerParams;
  readonly asked: string;
  readonly units: number;
}

/**
 * The answers that counted, until the server has settled their requests: a request that comes once more meanwhile is
 * answered as before, and nobody is asked twice (P-XAN-5).
 */
export class AcceptedAnswers {
  /** By the request's id, oldest first. */
  readonly #kept = new Map<string, Accepted>();
  #room = new Room(MOST);

  /** Keeps the answer to what was asked. The oldest go where there are too many. */
  keep(asked: object, params: AnswerParams): void {
    this.forget(params.request_id);
    const units = unitsOf(params);
    this.#kept.set(params.request_id, { params, asked: digest(askedBy(asked)), units });
    this.#room.put(units);
    for (const oldest of this.#kept.keys()) {
      if (!this.#room.isOver) return;
      this.forget(oldest);
    }
  }

  /** The answer to a request that asks the same. Undefined where it asks something else, or none is kept. */
  find(requestId: string, asked: object): AnswerParams | undefined {
    const found = this.#kept.get(requestId);
    return found !== undefined && found.asked === digest(askedBy(asked)) ? found.params : undefined;
  }

  forget(requestId: string): void {
    const kept = this.#kept.get(requestId);
    if (kept === undefined) return;
    this.#room.leave(kept.units);
    this.#kept.delete(requestId);
  }

  clear(): void {
    this.#kept.clear();
    this.#room = new Room(MOST);
  }
}
