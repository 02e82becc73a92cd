import { Cells, type Unrecognized, type WireEvent } from "@askwire/protocol";
import type { RequestContext } from "./handlers.js";

/**
 * The requests that are before the person, with what takes each away again. The base wire says nothing when a
 * question is settled elsewhere, so it is read from what follows: the tool's result, or the end of the turn (P-CLI-1).
 */
export class OpenRequests {
  readonly #open = new Cells<OpenRequest>();

  /** Runs a handler, with a signal that is aborted when its answer no longer counts, and reads what it answers. */
  run<T, R>(
    { id, tool_call_id }: { id: string; tool_call_id: string },
    handler: (context: RequestContext) => T | Promise<T>,
    read: (reply: T) => R,
  ): R | Promise<R> {
    const request = new OpenRequest(id, tool_call_id);
    this.#open.set(id, request);
    const done = () => {
      if (this.#open.get(id) === request) this.#open.delete(id);
    };
    try {
      const reply = handler(request);
      if (reply instanceof Promise) return reply.then(read).finally(done);
      done();
      return read(reply);
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Takes away what an event settles. */
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
    for (const request of this.#open.values()) {
      const { id } = request;
      if (!which(id, request.toolCallId)) continue;
      this.#open.delete(id);
      request.abort(why);
    }
  }
}

/** The context of one handler. Its signal costs more than the rest of a request, so it is made when it is read. */
class OpenRequest implements RequestContext {
  readonly id: string;
  readonly toolCallId: string;
  #controller: AbortController | undefined;
  #aborted: DOMException | undefined;

  constructor(id: string, toolCallId: string) {
    this.id = id;
    this.toolCallId = toolCallId;
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
