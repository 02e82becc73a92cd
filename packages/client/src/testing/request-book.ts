import { LocalError, type Outcome, WireError } from "@askwire/protocol";
import { systemTiming, within } from "../runtime/timing.js";
import type { ScriptedRequest } from "./scripted-request.js";
import type { ReceivedAnswer } from "./scripted-shapes.js";

/** The requests of a scripted server, open and settled, and the answers that came. */
export class RequestBook {
  readonly #requests = new Map<string, ScriptedRequest>();
  /** Every answer so far, oldest first. */
  readonly answers: ReceivedAnswer[] = [];
  /** The outcomes of counted answers, by the ids of the answers. */
  readonly counted = new Map<string, Outcome>();
  /** Continues whoever waits for a request to be settled. */
  readonly #waiting: (() => void)[] = [];

  add(request: ScriptedRequest): void {
    this.#requests.set(request.id, request);
  }

  find(id: string): ScriptedRequest | undefined {
    return this.#requests.get(id);
  }

  /** The open requests, oldest first. */
  open(): ScriptedRequest[] {
    return [...this.#requests.values()].filter(({ outcome }) => outcome === undefined);
  }

  /** @throws WireError UnknownRequest, or AlreadyResolved with the outcome. */
  openRequest(id: string): ScriptedRequest {
    const request = this.find(id);
    if (request === undefined) throw new WireError("UnknownRequest", `no request ${id}`);
    const { outcome } = request;
    if (outcome === undefined) return request;
    throw new WireError("AlreadyResolved", "the request is settled", { data: { outcome } });
  }

  /** Notes the end of a request. Its answer, if it has one, is noted before. */
  end(request: ScriptedRequest, outcome: Outcome): void {
    request.outcome = outcome;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Resolves with the answer that settles a request. Throws as `taken` of the server. */
  taken(id: string, timeoutMs: number): Promise<ReceivedAnswer> {
    const late = () => new LocalError("TIMEOUT", `taken: no answer to ${id} within ${timeoutMs} ms`);
    return within(systemTiming, timeoutMs, this.#taken(id), late);
  }

  async #taken(id: string): Promise<ReceivedAnswer> {
    for (;;) {
      const answer = this.answers.find(({ request_id, became }) => request_id === id && became === "taken");
      if (answer !== undefined) return answer;
      const request = this.find(id);
      if (request === undefined || request.outcome !== undefined) {
        const status = request?.outcome?.status ?? "unknown";
        throw new LocalError("INVALID_STATE", `taken: ${id} has no answer of the client: ${status}`);
      }
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }
}
