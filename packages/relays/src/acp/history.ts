import type { ContentPart, WireEventInput } from "@askwire/protocol";
import { EndedCalls } from "./ended-calls.js";
import { type Scene, Telling } from "./telling.js";

/** The most events of a history, the newest ones, and their characters. */
const MOST_EVENTS = 10_000;
const MOST_CHARACTERS = 16 * 1_024 * 1_024;

/** A conversation that an agent says again, as the events of turns. */
export class ToldHistory {
  readonly #events = new NewestEvents();
  readonly #ended = new EndedCalls();
  readonly #scene: Scene = {
    emit: (event) => this.#events.add(event),
    planMode: () => false,
    step: () => this.#nextStep(),
  };
  #telling = this.#nextTelling();
  /** The person's words that begin the next turn. */
  #words: ContentPart[] = [];
  #steps = 0;
  #isInTurn = false;

  /** The place where the agent says it. */
  get telling(): Telling {
    return this.#telling;
  }

  /** The events, once it has ended. */
  get events(): readonly WireEventInput[] {
    return this.#events.all;
  }

  /** Adds a person's words, which begin a turn. */
  said(parts: readonly ContentPart[]): void {
    if (this.#isInTurn) this.end();
    this.#words.push(...parts);
  }

  /** Ends the last turn. */
  end(): void {
    if (this.#words.length > 0) this.#begin();
    this.#telling.end();
    if (this.#isInTurn) this.#events.add({ type: "TurnEnd", payload: {} });
    this.#isInTurn = false;
    this.#steps = 0;
    this.#telling = this.#nextTelling();
  }

  #begin(): void {
    if (this.#isInTurn) return;
    this.#isInTurn = true;
    this.#events.add({ type: "TurnBegin", payload: { user_input: this.#words } });
    this.#words = [];
  }

  #nextStep(): void {
    this.#begin();
    this.#steps += 1;
    this.#events.add({ type: "StepBegin", payload: { n: this.#steps } });
  }

  #nextTelling(): Telling {
    return new Telling(this.#scene, this.#ended);
  }
}

/** The newest events of a history, as many as there is room for. */
class NewestEvents {
  readonly #events: { readonly event: WireEventInput; readonly size: number }[] = [];
  #size = 0;

  get all(): readonly WireEventInput[] {
    return this.#events.map(({ event }) => event);
  }

  add(event: WireEventInput): void {
    const { length } = JSON.stringify(event);
    this.#events.push({ event, size: length });
    this.#size += length;
    while (this.#events.length > MOST_EVENTS || this.#size > MOST_CHARACTERS)
      this.#size -= this.#events.shift()?.size ?? 0;
  }
}
