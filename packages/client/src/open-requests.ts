import type { Unrecognized, WireEvent } from "@askwire/protocol";

/**
 * The requests that are before the person, with what takes each away again. The base wire says nothing when a
 * question is settled elsewhere, so it is read from what follows: the tool's result, or the end of the turn.
 */
export class OpenRequests {
  readonly #open = new Map<string, { toolCallId: string; controller: AbortController }>();

  /** Runs a handler with a signal that is aborted when its answer no longer counts. */
  async run<T>(id: string, toolCallId: string, handler: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    const controller = new AbortController();
    const entry = { toolCallId, controller };
    this.#open.set(id, entry);
    try {
      return await handler(controller.signal);
    } finally {
      if (this.#open.get(id) === entry) this.#open.delete(id);
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
    for (const [id, { toolCallId, controller }] of this.#open) {
      if (!which(id, toolCallId)) continue;
      this.#open.delete(id);
      controller.abort(new DOMException(why, "AbortError"));
    }
  }
}
