import { validate } from "@askwire/protocol";
import { Room, unitsOf } from "@askwire/protocol/internal";
import type { Turn } from "@askwire/server";
import type { OpenLinks } from "../elicitation/ask-link.js";
import { ElicitationComplete, SessionNotification } from "./shapes.js";
import { applyUpdate, type UpdateTargets } from "./updates.js";

/** The updates that wait for the id of their conversation, and the UTF-16 units of all. */
const MOST_EARLY = { count: 1_000, units: 16 * 1_048_576 };
/** Updates after which clients are waited for. */
const PACE = 64;

/** The surroundings of an agent's notifications. */
export interface NotificationPlace {
  readonly to: UpdateTargets;
  readonly links: OpenLinks;
  readonly turn: () => Turn | undefined;
  readonly stray: (problem: string) => void;
}

/** Takes the notifications of an agent, in their order. */
export class AgentNotifications {
  readonly #place: NotificationPlace;
  #conversation: string | undefined;
  /** The updates that wait; undefined while a conversation is open. */
  #early: EarlyUpdates | undefined = new EarlyUpdates();
  #count = 0;

  constructor(place: NotificationPlace) {
    this.#place = place;
  }

  /** Takes a notification. Returns a promise that further input waits for, where clients are slow. */
  take(method: string, params: unknown): Promise<void> | undefined {
    if (method === "elicitation/complete") this.#complete(params);
    if (method !== "session/update") return undefined;
    this.#update(params);
    this.#count += 1;
    return this.#count % PACE === 0 ? this.#place.turn()?.drained() : undefined;
  }

  /** Expects a conversation to open, under this id if it is known. Updates of another one wait. */
  opening(id: string): void {
    this.#conversation = id;
    this.#early ??= new EarlyUpdates();
  }

  /** Lets the updates of a conversation that has opened count which came too early. */
  opened(id: string): void {
    this.#conversation = id;
    const waiting = this.#early?.all ?? [];
    this.#early = undefined;
    for (const { sessionId, update } of waiting) if (sessionId === id) this.#apply(update);
  }

  #complete(params: unknown): void {
    const read = validate(ElicitationComplete, params);
    if (read.ok) this.#place.links.complete(read.value.elicitationId);
  }

  #update(params: unknown): void {
    const { stray } = this.#place;
    const read = validate(SessionNotification, params);
    if (!read.ok) stray(`its update: ${read.problem}`);
    else if (read.value.sessionId === this.#conversation) this.#apply(read.value.update);
    else if (this.#early?.add(read.value, unitsOf(params)) !== true)
      stray("it sent an update of another conversation");
  }

  #apply(update: SessionUpdate["update"]): void {
    const problem = applyUpdate(update, this.#place.to);
    if (problem !== undefined) this.#place.stray(problem);
  }
}

interface SessionUpdate {
  readonly sessionId: string;
  readonly update: { readonly sessionUpdate: string };
}

/** Updates that came before their conversation was open, as many as there is room for. */
class EarlyUpdates {
  readonly #updates: SessionUpdate[] = [];
  readonly #room = new Room(MOST_EARLY);

  get all(): readonly SessionUpdate[] {
    return this.#updates;
  }

  /** False where the update does not fit. */
  add(update: SessionUpdate, units: number): boolean {
    const fits = this.#room.take(units);
    if (fits) this.#updates.push(update);
    return fits;
  }
}
