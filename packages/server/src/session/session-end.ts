import { closeCodes, type Outcome } from "@askwire/protocol";
import { tellEnd } from "../hooks/session-hooks.js";
import { type AnyInteraction, isForClient } from "../requests/core.js";
import { SessionSuspended } from "../requests/errors.js";
import { outcomeNow } from "../requests/interaction.js";
import type { SessionParts } from "./session-parts.js";

/** The reason that open requests end with. */
export type EndReason = "session_closed" | "shutdown";

/** The end of a session: closed, left to the next process, or lost with its journal. */
export class SessionEnd {
  readonly #parts: SessionParts;
  #closing: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    parts.journal?.onLost(() => queueMicrotask(() => this.#lose()));
  }

  /** True once the session ends. */
  get isBegun(): boolean {
    return this.#closing !== undefined;
  }

  /** True if a turn of this session can outlive the process (P-KPT-3). */
  get canLeaveTurns(): boolean {
    const { journal, agent } = this.#parts;
    return journal !== undefined && this.#parts.options.resume !== false && agent.now.resumes === true;
  }

  /** As `Session.close`. */
  close(reason: EndReason = "session_closed"): Promise<void> {
    this.#closing ??= this.#end(reason, false);
    return this.#closing;
  }

  /** Ends it as the process does: the next one goes on with a kept turn whose agent resumes (P-RES-9). */
  leave(reason: EndReason = "session_closed"): Promise<void> {
    this.#closing ??= this.#end(reason, true);
    return this.#closing;
  }

  /** The journal can be kept no more: the session ends, and no client is told an end of what is open (P-DUR-8). */
  #lose(): void {
    this.#parts.clients.leave(closeCodes.Internal, "the session cannot be kept any more");
    void this.close("shutdown");
  }

  async #end(reason: EndReason, leaves: boolean): Promise<void> {
    const { agent, turns, clients, claims, hooks, openHook, past, listing, journal } = this.#parts;
    turns.close();
    if (!agent.relays) await tellEnd(hooks, openHook, reason, this.#parts.options.clock);
    const ending = () => outcomeNow("withdrawn", { reason, by: "system" });
    const leftAsks = leaves && this.#leaveAsks();
    if (leaves && this.canLeaveTurns && turns.turnId !== undefined) await this.#suspend(turns.turnId, ending);
    else await turns.end(ending);
    clients.close();
    await past.untilSynced();
    // The prompt's reply follows the end of the turn, and goes out before the connection closes.
    await new Promise((resolve) => setImmediate(resolve));
    // The next process has a kept one, where its clients go on.
    if (leftAsks || (leaves && journal !== undefined))
      clients.leave(closeCodes.Restart, "the server is stopping");
    else clients.leave();
    claims.close();
    listing.close();
    await agent.end();
    await journal?.close();
    this.#parts.options.onClosed?.();
  }

  /** Leaves what programs ask to the next process (P-XAK-8). Returns whether there is any. */
  #leaveAsks(): boolean {
    const { journal, core, listing, askScope } = this.#parts;
    const isLeft = (request: AnyInteraction) => !isForClient(request) && request.program !== undefined;
    if (journal === undefined || this.#parts.options.resume === false || !core.pending().some(isLeft))
      return false;
    listing.close();
    core.suspendScope(askScope, new SessionSuspended());
    return true;
  }

  /** Clients are let go first: they must not take the end of the wait for the end of the turn. */
  async #suspend(turnId: string, ending: () => Outcome): Promise<void> {
    const { journal, listing, clients, turns } = this.#parts;
    journal?.turnSuspended(turnId);
    listing.close();
    clients.close();
    const ended = turns.suspend(ending);
    clients.leave(closeCodes.Restart, "the server is stopping");
    await ended;
  }
}
