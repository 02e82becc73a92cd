import { type Outcome, type UserInput, WireError } from "@askwire/protocol";
import type { AnyInteraction, InteractionCore } from "../requests/core.js";
import { outcomeNow } from "../requests/interaction.js";
import { Scope } from "../requests/scope.js";
import { turnCancelled, turnController } from "../turn/turn.js";

/** What may be said in a turn before its agent takes it. */
const MAX_STEERS = 64;

/** A turn while it runs: what is asked in it, what was said since, and how it ends. */
export class RunningTurn {
  readonly id: string;
  readonly scope: Scope;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Whether its agent is to end it after its step: a person rejected an approval of it without a word, or a tool says so. */
  stopped = false;
  readonly #core: InteractionCore;
  readonly #controller = turnController();
  #steers: UserInput[] = [];
  /** How a request ends that its agent makes while it is being ended. */
  #ending: () => Outcome = givenUp;
  #end: () => void = () => {};

  constructor(id: string, core: InteractionCore, session: Scope) {
    this.id = id;
    this.#core = core;
    this.scope = new Scope(session);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Aborted when it is being ended. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Registers and sends a request; one that comes too late is settled at once. */
  open(request: AnyInteraction, scope: Scope): void {
    if (!this.signal.aborted) this.#core.open(request, scope);
    else request.settle({ outcome: this.#ending() });
  }

  /** Gives up what is open in a scope of it. */
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
  }

  takeSteers(): UserInput[] {
    const steers = this.#steers;
    this.#steers = [];
    return steers;
  }

  /** Ends it from outside: first what is open is settled, by `settle`, then its agent is told. */
  stop(ending: () => Outcome, why: string, settle = () => this.#core.settleScope(this.scope, ending)): void {
    this.#ending = ending;
    settle();
    this.#controller.abort(turnCancelled(why));
  }

  /** Its agent has ended: nothing of it stays open. */
  finish(): void {
    this.stop(givenUp, "it is over");
  }

  /** Lets those go on who wait for its end. */
  over(): void {
    this.#end();
  }
}

const givenUp = () => outcomeNow("withdrawn", { reason: "agent", by: "system" });
