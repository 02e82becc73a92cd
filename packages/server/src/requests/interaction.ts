import type { Outcome } from "@askwire/protocol";
import { v4 as uuid } from "uuid";

/** How a request ended, with what was answered if it was. */
export interface Settlement<Answer> {
  /** Who ended it, how and when. */
  readonly outcome: Outcome;
  /** Only where the outcome is `answered`. */
  readonly answer?: Answer;
}

type Listener<Answer> = (settlement: Settlement<Answer>) => void;

/** The sub-agent that a request comes from. */
export interface RequestOrigin {
  /** The id of the sub-agent. */
  readonly agent_id: string;
  /** What kind it is. */
  readonly subagent_type: string;
  /** One line for the person on what it is for. */
  readonly description?: string;
  /** The tool call that it works in. */
  readonly parent_tool_call_id?: string;
}

/**
 * One request to a client, whatever its kind: it settles exactly once, the first settlement wins, and later ones
 * are told so (P-INT-2). The core registers it before it is sent, so that no answer can come too early.
 */
export abstract class Interaction<Answer> {
  /** A UUID: the payload id and the JSON-RPC id of every copy (P-ID-1), save for a tool call's (P-EXT-7). */
  readonly id: string;
  abstract readonly kind: "question" | "approval" | "tool_call" | "hook";
  /** The tool call that asks; of a hook the one that it is about, or empty. */
  abstract readonly toolCallId: string;
  /** Set before it is opened; undefined for the root agent. */
  origin: RequestOrigin | undefined;
  #settlement: Settlement<Answer> | undefined;
  #listeners: Listener<Answer>[] = [];

  constructor(id: string = uuid()) {
    this.id = id;
  }

  /** How it ended; undefined while it is open. */
  get outcome(): Outcome | undefined {
    return this.#settlement?.outcome;
  }

  /** Whether it was settled. */
  get resolved(): boolean {
    return this.#settlement !== undefined;
  }

  /** Settles it. Returns false, and changes nothing, if it was settled before. */
  settle(settlement: Settlement<Answer>): boolean {
    if (this.#settlement !== undefined) return false;
    this.#settlement = settlement;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener(settlement);
    return true;
  }

  /** Calls the listener with the settlement, at once if there is one. */
  onSettled(listener: Listener<Answer>): void {
    if (this.#settlement === undefined) this.#listeners.push(listener);
    else listener(this.#settlement);
  }

  /** Resolves with what `read` makes of the settlement, or rejects with what it throws. */
  protected settled<T>(read: (settlement: Settlement<Answer>) => T): Promise<T> {
    const waiting = new Promise<T>((resolve, reject) => {
      this.onSettled((settlement) => {
        try {
          resolve(read(settlement));
        } catch (error) {
          reject(error);
          // Who waits for several, one after the other, must not end the process when all fail at once.
          queueMicrotask(() => void waiting.catch(() => {}));
        }
      });
    });
    return waiting;
  }
}

type Details<S extends Outcome["status"]> = Omit<Extract<Outcome, { status: S }>, "status" | "at">;

/** An outcome of now, caused on this side. */
export function outcomeNow<S extends Outcome["status"]>(status: S, details: Details<S>): Outcome {
  return { status, ...details, at: new Date().toISOString() } as unknown as Outcome;
}
