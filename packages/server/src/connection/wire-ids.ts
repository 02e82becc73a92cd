import { BoundedSet } from "@askwire/protocol/internal";
import type { AnyInteraction } from "../requests/core.js";

/** Ids that one connection remembers as taken. */
const MAX_TAKEN = 1024;

/** The JSON-RPC ids under which one connection's requests are outstanding. */
export class WireIds {
  /** Made with the first tool call. */
  #taken: BoundedSet<string> | undefined;

  /** The id for a request: its own, or a tool call's, made unique among those outstanding (P-EXT-7). */
  take(request: AnyInteraction): string {
    if (request.kind !== "tool_call") return request.id;
    this.#taken ??= new BoundedSet(MAX_TAKEN);
    const { toolCallId } = request;
    let id = toolCallId;
    for (let n = 2; this.#taken.has(id); n += 1) id = `${toolCallId}#${n}`;
    this.#taken.add(id);
    return id;
  }

  /** Frees the id of an answered request. A request that is never answered keeps its id. */
  free(id: string): void {
    this.#taken?.delete(id);
  }
}
