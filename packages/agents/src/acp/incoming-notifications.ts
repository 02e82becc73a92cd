import { validate } from "@askwire/protocol";
import { Room, unitsOf } from "@askwire/protocol/internal";
import type { Turn } from "@askwire/server";
import type { OpenLinks } from "../elicitation/ask-link.js";
import { ElicitationComplete, SessionNotification } from "./shapes.js";
import { applyUpdate, type UpdateTargets } from "./updates.js";

/** Takes the notifications of an agent, in their order. */
export interface AgentNotifications {
  /** Takes a notification. Returns a promise that further input waits for, where clients are slow. */
  take(method: string, params: unknown): Promise<void> | undefined;
  /** A conversation is about to open, under this id if it is known. Updates of another one wait. */
  opening(id: string): void;
  /** A conversation is open, and its updates that came too early count now. */
  opened(id: string): void;
}

/** The updates that wait for the id of their conversation, and the UTF-16 units of all. */
const MOST_EARLY = { count: 1_000, units: 16 * 1_048_576 };
/** Updates after which clients are waited for. */
const PACE = 64;

export function agentNotifications(init: {
  readonly to: UpdateTargets;
  readonly links: OpenLinks;
  readonly turn: () => Turn | undefined;
  readonly stray: (problem: string) => void;
}): AgentNotifications {
  const { to, links, stray } = init;
  type Early = { readonly sessionId: string; readonly update: { readonly sessionUpdate: string } };
  let conversation: string | undefined;
  let early: Early[] | undefined = [];
  let room = new Room(MOST_EARLY);
  let count = 0;

  function apply(update: Early["update"]): void {
    const problem = applyUpdate(update, to);
    if (problem !== undefined) stray(problem);
  }

  function takeUpdate(params: unknown): void {
    const read = validate(SessionNotification, params);
    if (!read.ok) return stray(`its update: ${read.problem}`);
    if (read.value.sessionId === conversation) apply(read.value.update);
    else if (early !== undefined && room.take(unitsOf(params))) early.push(read.value);
    else stray("it sent an update of another conversation");
  }

  return {
    take(method, params) {
      if (method === "elicitation/complete") {
        const read = validate(ElicitationComplete, params);
        if (read.ok) links.complete(read.value.elicitationId);
      }
      if (method !== "session/update") return undefined;
      takeUpdate(params);
      count += 1;
      return count % PACE === 0 ? init.turn()?.drained() : undefined;
    },
    opening(id) {
      conversation = id;
      early ??= [];
    },
    opened(id) {
      conversation = id;
      const waiting = early ?? [];
      early = undefined;
      room = new Room(MOST_EARLY);
      for (const { sessionId, update } of waiting) if (sessionId === id) apply(update);
    },
  };
}
