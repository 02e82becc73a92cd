import type { AnswerIssue, Unrecognized, WireEvent } from "@askwire/protocol";
import { isThenable } from "@askwire/protocol/internal";
import type { UntilSettled } from "../brought/until-settled.js";
import type { DeliveryState } from "../contract/delivery.js";
import type { RequestContext } from "../contract/handlers.js";
import { untilAborted } from "../runtime/until-aborted.js";

/**
 * The requests shown to the person, each with the means to take it away.
 * The base wire does not say when a question is settled elsewhere. The tool's result or the end of the turn shows
 * that (P-CLI-1).
 */
export class RequestsUnderWay {
  readonly #open = new Set<OpenRequest>();

  /**
   * Runs a handler and reads its reply. The handler's signal is aborted when its answer no longer counts, and a reply
   * that comes all the same is not sent (P-CLI-1).
   */
  run<V extends { id: string; tool_call_id: string }, T, R>(
    view: V,
    handler: (view: V, context: RequestContext) => T | PromiseLike<T>,
    read: (view: V, reply: T) => R,
  ): R | Promise<R> {
    const request = new OpenRequest(view.id, view.tool_call_id);
    this.#open.add(request);
    try {
      const reply = handler(view, request);
      if (isThenable(reply)) {
        return Promise.resolve(reply).then(
          (reply) => {
            if (!this.#open.delete(request)) throw request.aborted;
            return request.sent(read(view, reply));
          },
          (error: unknown) => {
            this.#open.delete(request);
            throw error;
          },
        );
      }
      this.#open.delete(request);
      return request.sent(read(view, reply));
    } catch (error) {
      this.#open.delete(request);
      throw error;
    }
  }

  /** Takes away the requests that an event settles. */
  observe(event: WireEvent | Unrecognized): void {
    if (event.type === "TurnEnd") this.abortAll("the turn ended");
    else if (event.type === "ApprovalResponse") {
      const { request_id } = event.payload;
      this.#abort((id) => id === request_id, "it was settled");
    } else if (event.type === "ToolResult") {
      const { tool_call_id } = event.payload;
      this.#abort((_id, toolCallId) => toolCallId === tool_call_id, "it was settled elsewhere");
    }
  }

  abortAll(why: string): void {
    this.#abort(() => true, why);
  }

  #abort(which: (id: string, toolCallId: string) => boolean, why: string): void {
    for (const request of [...this.#open]) {
      if (!which(request.id, request.toolCallId)) continue;
      this.#open.delete(request);
      request.abort(why);
    }
  }
}

/** Runs work in the base profile, until an event shows that its request is settled. */
export const untilSettled =
  (open: RequestsUnderWay): UntilSettled =>
  async (id, toolCallId, work) =>
    open.run(
      { id, tool_call_id: toolCallId },
      (_view, { signal }) => untilAborted(signal, work(signal)),
      (_view, result) => result,
    );

/**
 * The context of one handler. A signal costs more than the rest of a request, so it is made when a handler reads it.
 */
class OpenRequest implements RequestContext {
  readonly id: string;
  readonly toolCallId: string;
  readonly #followers: ((state: DeliveryState) => void)[] = [];
  #controller: AbortController | undefined;
  #aborted: DOMException | undefined;

  constructor(id: string, toolCallId: string) {
    this.id = id;
    this.toolCallId = toolCallId;
  }

  /** Base servers say nothing about an answer that does not fit, so this list is always empty. */
  get issues(): readonly AnswerIssue[] {
    return none;
  }

  /** The base profile has no deadlines. */
  touch(): void {}

  onDelivery = (listener: (state: DeliveryState) => void): void => void this.#followers.push(listener);

  /** Reports that the reply goes out, of which no word comes back. Gives the reply. */
  sent<R>(reply: R): R {
    for (const follower of this.#followers) follower({ is: "sent" });
    return reply;
  }

  /** The reason for which its answer does not count; undefined while it does. */
  get aborted(): DOMException | undefined {
    return this.#aborted;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted !== undefined) this.#controller.abort(this.#aborted);
    return this.#controller.signal;
  }

  abort(why: string): void {
    this.#aborted = new DOMException(why, "AbortError");
    this.#controller?.abort(this.#aborted);
  }
}

const none: readonly AnswerIssue[] = [];
