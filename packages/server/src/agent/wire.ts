import type { AnyInteraction } from "../requests/core.js";

/** The way of a running tool or agent to its clients. */
export interface Wire {
  /** Registers a request and sends it to every client that can show it. Returns at once. */
  send(request: AnyInteraction): void;
}
