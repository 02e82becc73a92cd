import { BoundedMap } from "@askwire/protocol/internal";
import type { PeerMessage } from "../acp/peer-message.js";
import { idKey } from "./message.js";

/** Requests of a host that are remembered; the oldest go. */
const MOST = 10_000;

/** The requests of a host that its agent has not replied to. */
export class AwaitedReplies {
  readonly #ids = new BoundedMap<string, unknown>(MOST);

  /** Notes a message of the host. */
  fromHost({ id, method }: PeerMessage): void {
    if (method !== undefined && id !== undefined) this.#ids.set(idKey(id), id);
  }

  /** Notes a message of the agent. */
  fromAgent({ id, method }: PeerMessage): void {
    if (method === undefined) this.#ids.delete(idKey(id));
  }

  /** The ids that no reply has come to. */
  ids(): readonly unknown[] {
    return [...this.#ids.values()];
  }
}
