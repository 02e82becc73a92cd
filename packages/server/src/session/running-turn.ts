import { LocalError, type Outcome, type UserInput, WireError } from "@askwire/protocol";
import type { Journal } from "../journal/journal.js";
import type { AnyInteraction, InteractionCore } from "../requests/core.js";
import { SessionSuspended } from "../requests/errors.js";
import { outcomeNow } from "../requests/interaction.js";
import { Scope } from "../requests/scope.js";
import { turnCancelled, turnController } from "../turn/turn.js";
import type { LeftTurn } from "./turn-memory.js";

/** The number of steers that may wait for the agent. */
const MAX_STEERS = 64;

/** A running turn: its requests, its steers, and its end. */
export class RunningTurn {
  readonly id: string;
  readonly scope: Scope;
  /** The part that earlier processes left; undefined for a turn of this one. */
  readonly left: LeftTurn | undefined;
  /** Set where the next process goes on with it. */
  #suspended: SessionSuspended | undefined;
  readonly #core: InteractionCore;
  readonly #journal: Journal | undefined;
  readonly #controller = turnController();
  #steers: UserInput[] = [];
  /** The keys of requests, with their places; made with the first. */
  #keys: Set<string> | undefined;
  #heard: (() => void) | undefined;
  /** The outcome for requests that the agent makes during its end. */
  #ending: () => Outcome = givenUp;
  /** Made when it is first waited for. */
  #ended: Promise<void> | undefined;
  #end: (() => void) | undefined;
  #stopped = false;

  /**
   * @param journal that of a session that is kept.
   * @param left what earlier processes left of it. Default: it begins now.
   */
  constructor(
    id: string,
    core: InteractionCore,
    session: Scope,
    journal: Journal | undefined,
    left?: LeftTurn,
  ) {
    this.id = id;
    this.left = left;
    this.#stopped = left?.turn.stopped ?? false;
    this.#core = core;
    this.#journal = journal;
    this.scope = new Scope(session);
  }

  /** Resolves when it has ended. */
  get ended(): Promise<void> {
    this.#ended ??= new Promise((resolve) => {
      this.#end = resolve;
    });
    return this.#ended;
  }

  /**
   * True if the agent is to end the turn after its step. The person rejected an approval without a word, or a tool says
   * so.
   */
  get stopped(): boolean {
    return this.#stopped;
  }

  set stopped(stopped: boolean) {
    if (stopped && !this.#stopped) this.#journal?.turnStopping(this.id);
    this.#stopped = stopped;
  }

  /** Aborted when it is being ended. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Set where the next process goes on with it. */
  get suspended(): SessionSuspended | undefined {
    return this.#suspended;
  }

  /**
   * Registers and sends a request, or goes on with the same one that an earlier process left. A request after the end is
   * settled at once.
   *
   * @throws LocalError INVALID_STATE for a key that was used at its place.
   */
  open(request: AnyInteraction, scope: Scope): void {
    if (request.key !== undefined) this.#claim(request.key, request);
    if (this.#journal !== undefined) request.place ??= { turnId: this.id };
    if (this.#suspended !== undefined) request.suspend(this.#suspended);
    else if (this.signal.aborted) request.settle({ outcome: this.#ending() });
    else if (this.left?.requests.join(request) !== true) this.#core.open(request, scope);
  }

  #claim(key: string, { origin, place }: AnyInteraction): void {
    const name = JSON.stringify([origin?.agent_id, place?.callId, place?.nth, key]);
    this.#keys ??= new Set();
    if (this.#keys.has(name)) {
      throw new LocalError(
        "INVALID_STATE",
        `key: ${JSON.stringify(key)} was used at this place of the turn: give each request a key of its own`,
      );
    }
    this.#keys.add(name);
  }

  /** Gives up the open requests of a scope within the turn. */
  settle(scope: Scope): void {
    this.#core.settleScope(scope, givenUp);
  }

  /** @throws WireError Overloaded when too much waits. */
  steer(input: UserInput): void {
    if (this.#steers.length >= MAX_STEERS) {
      const data = { limit: "steers" };
      throw new WireError("Overloaded", `more than ${MAX_STEERS} steers wait for the agent`, { data });
    }
    this.#steers.push(input);
    this.#heard?.();
  }

  /** Resolves once words wait for the agent. */
  steered(): Promise<void> {
    if (this.#steers.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#heard = resolve;
    });
  }

  takeSteers(): UserInput[] {
    const steers = this.#steers;
    this.#steers = [];
    return steers;
  }

  /** Ends the turn from outside. Open requests are settled by `settle` before the agent is told. */
  stop(ending: () => Outcome, why: string, settle = () => this.#core.settleScope(this.scope, ending)): void {
    this.#ending = ending;
    settle();
    this.#controller.abort(turnCancelled(why));
  }

  /** Leaves it to the next process: each wait ends with an error, and nothing is settled. */
  suspend(): void {
    this.#suspended = new SessionSuspended();
    this.#core.suspendScope(this.scope, this.#suspended);
    this.#controller.abort(this.#suspended);
  }

  /** Its agent has ended: nothing of it stays open. */
  finish(): void {
    this.stop(givenUp, "it is over");
  }

  /** Lets those go on who wait for its end. */
  over(): void {
    this.#end?.();
    this.#ended ??= Promise.resolve();
  }
}

const givenUp = () => outcomeNow("withdrawn", { reason: "agent", by: "system" });
