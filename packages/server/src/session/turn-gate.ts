import {
  type Outcome,
  type Principal,
  type PromptResult,
  type UserInput,
  WireError,
} from "@askwire/protocol";
import type { AnyInteraction, InteractionCore } from "../requests/core.js";
import { outcomeNow } from "../requests/interaction.js";
import type { Scope } from "../requests/scope.js";
import { Remembered } from "../runtime/remembered.js";
import { uuid } from "../runtime/uuid.js";
import type { Activity } from "./activity.js";
import { NotKept } from "./not-kept.js";
import { RunningTurn } from "./running-turn.js";
import type { PromptOrigin } from "./session-options.js";
import { keepsBeginning, runSessionTurn, type TurnPlace } from "./session-turn.js";
import { answeredBySteer, type Speaker } from "./steered-answer.js";
import type { LeftTurn } from "./turn-memory.js";

/** Turns that are remembered at least. */
const TURNS = 64;
/** Words that are remembered at least. */
const STEERS = 128;

/** The turns of a session: one at a time, the last ones remembered. */
export class TurnGate {
  readonly #core: InteractionCore;
  readonly #scope: Scope;
  readonly #activity: Pick<Activity, "running">;
  readonly #place: (over: () => void) => TurnPlace;
  #turn: RunningTurn | undefined;
  /** The person who began the running turn, or the last one; undefined where the door knew nobody (P-XRQ-5). */
  owner: Principal | undefined;
  /** The results of the last turns with a client's id, also of running turns (P-XTR-2). */
  readonly #prompted = new Remembered<Promise<PromptResult>>(TURNS);
  /** The ids of words that were said (P-XTR-3). */
  readonly #steered = new Remembered<true>(STEERS);
  #used = false;
  #isClosed = false;
  /** Lets the agent of a turn run that an earlier process left; undefined once it did. */
  #start: (() => void) | undefined;
  readonly #over = () => {
    this.#turn = undefined;
    this.#activity.running = false;
  };

  /**
   * @param scope the scope of the session, for requests between turns.
   * @param activity is told whether a turn runs.
   * @param place makes the surroundings of a turn.
   */
  constructor(
    core: InteractionCore,
    scope: Scope,
    activity: Pick<Activity, "running">,
    place: (over: () => void) => TurnPlace,
  ) {
    this.#core = core;
    this.#scope = scope;
    this.#activity = activity;
    this.#place = place;
  }

  /** The id of the turn that runs. */
  get turnId(): string | undefined {
    return this.#turn?.id;
  }

  /** True if there ever was a turn. */
  get used(): boolean {
    return this.#used;
  }

  /** Opens a request of this process: in the running turn, and else in the session itself. */
  open(request: AnyInteraction): void {
    const turn = this.#turn;
    // A turn that is being ended takes nothing more, unless the session ends with it: then it knows why.
    if (turn !== undefined && (!turn.signal.aborted || this.#isClosed)) turn.open(request, turn.scope);
    else this.openBeside(request);
  }

  /**
   * Opens a request in the session itself, which no end of a turn settles.
   *
   * @param scope a scope in that of the session. Default: the session's own.
   */
  openBeside(request: AnyInteraction, scope: Scope = this.#scope): void {
    if (!this.#isClosed) this.#core.open(request, scope);
    else request.settle({ outcome: outcomeNow("withdrawn", { reason: "session_closed", by: "system" }) });
  }

  /** As `Session.prompt`. */
  prompt(input: UserInput, { turnId = uuid(), by }: PromptOrigin = {}): Promise<PromptResult> {
    const known = this.#prompted.get(turnId);
    if (known !== undefined) return known;
    if (this.#turn !== undefined) return Promise.reject(busy());
    if (this.#isClosed) return Promise.reject(new WireError("InvalidState", "the session is closed"));
    const place = this.#place(this.#over);
    const marks = { turn_id: turnId, ...(by !== undefined && { by }) };
    if (!keepsBeginning(place, input, marks)) return Promise.reject(new NotKept("prompt"));
    this.owner = by?.principal;
    const running = this.#begin(turnId, place);
    // A client that asks for it again waits for the same promise, and hears no sooner than the first one.
    const result = runSessionTurn(place, running, input, marks);
    this.#prompted.set(turnId, result);
    return result;
  }

  /**
   * Puts a turn in that an earlier process left. It counts as running from now on, and its agent runs after
   * {@link TurnGate.start}.
   */
  resume(left: LeftTurn): RunningTurn {
    const { turnId, input, by } = left.turn;
    const place = this.#place(this.#over);
    this.owner = by?.principal;
    const running = this.#begin(turnId, place, left);
    const started = new Promise<void>((resolve) => {
      this.#start = resolve;
    });
    const marks = { turn_id: turnId, ...(by !== undefined && { by }) };
    const result = started.then(() => runSessionTurn(place, running, input, marks));
    this.remember(turnId, result);
    return running;
  }

  /** As {@link TurnGate.start}, at the attach of a client: an agent that waits for a person goes on waiting. */
  startAttended(): void {
    const left = this.#turn?.left;
    if (left?.waits !== true || !left.requests.isOpen) this.start();
  }

  /** Lets the agent of a turn run that an earlier process left. Does nothing without one. */
  start(): void {
    this.#start?.();
    this.#start = undefined;
  }

  /** Remembers the result of a turn that an earlier process began (P-XTR-2). */
  remember(turnId: string, result: Promise<PromptResult>): void {
    result.catch(() => {});
    this.#prompted.set(turnId, result);
  }

  #begin(turnId: string, { journal }: TurnPlace, left?: LeftTurn): RunningTurn {
    const running = new RunningTurn(turnId, this.#core, this.#scope, journal, left);
    this.#turn = running;
    this.#activity.running = true;
    this.#used = true;
    return running;
  }

  /** As `Session.steer`. */
  steer(input: UserInput, by: Speaker, id?: string): void {
    if (id !== undefined && this.#steered.get(id) === true) return;
    if (this.#turn === undefined || this.#turn.signal.aborted) {
      throw new WireError("InvalidState", "No agent turn is in progress");
    }
    if (!answeredBySteer(this.#core.pending(), input, by)) this.#turn.steer(input);
    if (this.#turn.left?.waits === true) this.start();
    if (id !== undefined) this.#steered.set(id, true);
  }

  /** As `ServedSession.joinLeftTurn`. */
  joinLeft(
    words: UserInput,
  ): { readonly input: UserInput; readonly result: Promise<PromptResult> } | undefined {
    const turn = this.#turn;
    if (turn?.left === undefined || turn.signal.aborted) return undefined;
    const result = this.#prompted.get(turn.id);
    if (result === undefined) return undefined;
    if (!isBlank(words)) {
      turn.steer(words);
      this.start();
    }
    return { input: turn.left.turn.input, result };
  }

  /** As `Session.cancel`. */
  cancel(turnId?: string): void {
    if (turnId !== undefined && this.#turn?.id !== turnId) return;
    this.#turn?.stop(interrupted, "it was cancelled");
  }

  /** Lets the running turn end after its step. */
  endAfterStep(): void {
    if (this.#turn !== undefined) this.#turn.stopped = true;
  }

  /** @throws WireError InvalidState while a turn runs. */
  refuseWhileBusy(): void {
    if (this.#turn !== undefined) throw busy();
  }

  /** Lets no further turn in. */
  close(): void {
    this.#isClosed = true;
  }

  /** Settles everything that is open and ends the running turn. Resolves when that has ended. */
  async end(ending: () => Outcome): Promise<void> {
    const ended = this.#turn?.ended;
    const settle = () => this.#core.close(ending);
    if (this.#turn === undefined) settle();
    else this.#turn.stop(ending, "the session closed", settle);
    this.start();
    await ended;
  }

  /** Leaves the running turn to the next process, and settles what is open beside it. Resolves when it has ended here. */
  async suspend(ending: () => Outcome): Promise<void> {
    const ended = this.#turn?.ended;
    this.#turn?.suspend();
    this.#core.close(ending);
    this.start();
    await ended;
  }
}

const isBlank = (input: UserInput) => (typeof input === "string" ? input.trim() === "" : input.length === 0);

const busy = () => new WireError("InvalidState", "An agent turn is already in progress");

const interrupted = () => outcomeNow("withdrawn", { reason: "interrupted", by: "human" });
