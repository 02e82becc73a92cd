import { LocalError } from "@askwire/protocol";
import { notSupported } from "@askwire/protocol/internal";
import type { AgentPeer, ProfileConversation } from "../contract/conversation.js";
import { WatchedLists } from "./watched-lists.js";

/** The conversation of a client that joined no session: it watches what there is in all of them (P-XLB-2). */
export class LobbyConversation implements ProfileConversation {
  readonly replaysInTurn = false;
  readonly alive: () => void;
  readonly watched = new WatchedLists();

  /** @param works called with each sign of life of the server. */
  constructor(works: () => void) {
    this.alive = works;
  }

  attached(peer: AgentPeer): void {
    this.watched.attached(peer);
  }

  lost(): void {
    this.watched.lost();
  }

  ended(cause: Error | undefined): void {
    this.watched.close(cause);
  }

  event(): void {}

  request(request: { readonly type: string }): never {
    throw notSupported(request.type, "unsupported", "this connection joined no session");
  }

  isBusy = (): boolean => false;
  isReplaying = (): boolean => false;
  isUnderWay = (): boolean => false;
  prompt = (): never => without("prompt");
  replay = (): never => without("replay");
}

function without(method: string): never {
  throw new LocalError("INVALID_STATE", `${method}: this connection joined no session: connect to one`);
}
