import type { AnswerParams } from "@askwire/protocol";
import { askedBy, digest } from "../contract/request-key.js";
import { answerUnits } from "./answer-units.js";

/** The most answers, and the most UTF-16 units of their words and pictures. */
const MOST = 256;
const MOST_UNITS = 16 * 1_048_576;

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
  #units = 0;

  /** Keeps the answer to what was asked. The oldest go where there are too many. */
  keep(asked: object, params: AnswerParams): void {
    this.forget(params.request_id);
    const units = answerUnits(params);
    this.#kept.set(params.request_id, { params, asked: digest(askedBy(asked)), units });
    this.#units += units;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST && this.#units <= MOST_UNITS) return;
      this.forget(oldest);
    }
  }

  /** The answer to a request that asks the same. Undefined where it asks something else, or none is kept. */
  find(requestId: string, asked: object): AnswerParams | undefined {
    const found = this.#kept.get(requestId);
    return found !== undefined && found.asked === digest(askedBy(asked)) ? found.params : undefined;
  }

  forget(requestId: string): void {
    this.#units -= this.#kept.get(requestId)?.units ?? 0;
    this.#kept.delete(requestId);
  }

  clear(): void {
    this.#kept.clear();
    this.#units = 0;
  }
}
