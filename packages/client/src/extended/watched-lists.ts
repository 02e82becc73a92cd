import type { HeardRequest, HeardSession } from "@askwire/protocol";
import type { AgentPeer } from "../contract/conversation.js";
import { WatchedList } from "./watched-list.js";

/** The lists of a server that a client can watch: its sessions (P-XSE-5), and what waits in them (P-XRQ-3). */
export class WatchedLists {
  readonly sessions = new WatchedList<HeardSession>({
    idOf: ({ id }) => id,
    watch: async (peer) => (await peer.request("watch_sessions", undefined)).sessions,
    unwatch: (peer) => peer.request("unwatch_sessions", undefined),
  });
  readonly requests = new WatchedList<HeardRequest>({
    idOf: ({ request_id }) => request_id,
    watch: async (peer) => (await peer.request("watch_requests", undefined)).requests,
    unwatch: (peer) => peer.request("unwatch_requests", undefined),
  });

  attached(peer: AgentPeer): void {
    this.sessions.attached(peer);
    this.requests.attached(peer);
  }

  lost(): void {
    this.sessions.lost();
    this.requests.lost();
  }

  close(cause: Error | undefined): void {
    this.sessions.close(cause);
    this.requests.close(cause);
  }
}
