import {
  LocalError,
  type Outcome,
  type PromptResult,
  type UserInput,
  WireError,
  type WireEventInput,
} from "@askwire/protocol";
import { v4 as uuid } from "uuid";
import type { Agent, AgentFactory } from "./agent.js";
import type { Connection } from "./connection.js";
import type { ApprovalAnswer } from "./interaction/approval-request.js";
import type { Clock } from "./interaction/clock.js";
import { type AnyInteraction, type Attendance, InteractionCore } from "./interaction/core.js";
import { outcomeNow, type Settlement } from "./interaction/interaction.js";
import { Scope } from "./interaction/scope.js";
import type { Log } from "./log.js";
import type { ToolOffer } from "./tool.js";
import { createTurn, MaxStepsReached, runTurn, type TurnHost, turnCancelled, unlessAborted } from "./turn.js";

export interface SessionOptions {
  readonly agent: Agent | AgentFactory;
  readonly attendance: Attendance;
  /** Approves every approval by policy; questions are asked all the same (P-APR-4). */
  readonly yolo: boolean;
  readonly maxSteps: number;
  readonly maxOpenRequests: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Told when the last connection is gone or the turn has ended, and nothing is left to do. */
  readonly onIdle?: () => void;
}

interface RunningTurn {
  readonly scope: Scope;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  /** How a request ends that its agent makes while it is being ended. */
  ending: () => Outcome;
  /** Whether the person rejected an approval of it without a word. */
  rejected: boolean;
}

/** One conversation: an agent, at most one turn at a time, and any number of connections, also none. */
export class Session {
  readonly id = uuid();
  readonly #options: SessionOptions;
  readonly #agent: Agent;
  readonly #scope = new Scope();
  readonly #core: InteractionCore;
  readonly #connections = new Set<Connection>();
  /** Actions that were approved for the session (P-APR-3). */
  readonly #approved = new Set<string>();
  readonly #host: TurnHost;
  #attendance: Attendance;
  #turn: RunningTurn | undefined;
  #activity = 0;
  #closing: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#attendance = options.attendance;
    this.#agent = typeof options.agent === "function" ? options.agent({ id: this.id }) : options.agent;
    this.#core = new InteractionCore({
      attendance: () => this.#attendance,
      policy: (request) => this.#policy(request),
      maxOpen: options.maxOpenRequests,
      clock: options.clock,
      onSettled: (request, settlement, sent) => this.#settled(request, settlement, sent),
    });
    this.#host = {
      broadcast: (event) => this.broadcast(event),
      offer: () => this.offer,
      unattended: () => this.#attendance === "decline",
      rejected: () => this.#turn?.rejected ?? false,
      maxSteps: options.maxSteps,
      drained: async () => {
        await Promise.all([...this.#connections].map((connection) => connection.drained()));
      },
    };
  }

  get core(): InteractionCore {
    return this.#core;
  }

  get running(): boolean {
    return this.#turn !== undefined;
  }

  /** Whether it has no connection, no turn and no open request. */
  get idle(): boolean {
    return this.#connections.size === 0 && this.#turn === undefined && this.#core.size === 0;
  }

  /** Changes with each connection and turn. */
  get activity(): number {
    return this.#activity;
  }

  get attendance(): Attendance {
    return this.#attendance;
  }

  set attendance(attendance: Attendance) {
    this.#attendance = attendance;
    this.#core.reconsider();
  }

  get offer(): ToolOffer {
    const connections = [...this.#connections];
    const canAsk =
      connections.length === 0
        ? this.#attendance === "hold"
        : connections.some((connection) => connection.supportsQuestion);
    return { canAsk };
  }

  /** Adds a connection; again, for one whose abilities changed. It is shown what is open. */
  attach(connection: Connection): void {
    this.#activity += 1;
    this.#connections.add(connection);
    this.#core.attach(connection);
  }

  /** Takes a connection away. What only it could answer ends `client_lost` after the grace. */
  detach(connection: Connection, graceMs: number): void {
    this.#connections.delete(connection);
    this.#core.detach(connection.id, graceMs);
    if (this.idle) this.#options.onIdle?.();
  }

  /** Tells every connection an event. */
  broadcast(event: WireEventInput): void {
    for (const connection of this.#connections) connection.tell(event);
  }

  /**
   * Runs one turn to its end (P-TRN-1 to P-TRN-5).
   *
   * @throws WireError InvalidState while another runs; else whatever the agent failed with.
   */
  async prompt(input: UserInput): Promise<PromptResult> {
    if (this.#turn !== undefined) throw new WireError("InvalidState", "An agent turn is already in progress");
    if (this.#closing !== undefined) throw new LocalError("CLOSED", "the session is closed");
    const scope = new Scope(this.#scope);
    const controller = new AbortController();
    const { signal } = controller;
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const running: RunningTurn = { scope, controller, ended, ending: givenUp, rejected: false };
    this.#turn = running;

    const wire = {
      send: (request: AnyInteraction) => {
        if (!signal.aborted) this.#core.open(request, scope);
        else request.settle({ outcome: running.ending() });
      },
    };
    const turn = createTurn(input, this.#host, wire, signal);
    try {
      this.broadcast({ type: "TurnBegin", payload: { user_input: input } });
      const run = runTurn(turn, async () => this.#agent.run(turn));
      return (await unlessAborted(run, signal)) ?? { status: "finished" };
    } catch (error) {
      if (signal.aborted) return { status: "cancelled" };
      if (error instanceof MaxStepsReached) return { status: "max_steps_reached", steps: error.steps };
      if (turn.steps > 0) this.broadcast({ type: "StepInterrupted", payload: {} });
      throw error;
    } finally {
      running.ending = givenUp;
      this.#core.settleScope(scope, givenUp);
      controller.abort(turnCancelled("it is over"));
      this.#turn = undefined;
      this.broadcast({ type: "TurnEnd", payload: {} });
      end();
      if (this.idle) this.#options.onIdle?.();
    }
  }

  /** Cancels the running turn, whether its agent cooperates or not (P-TRN-6). Nothing happens if there is none. */
  cancel(): void {
    if (this.#turn === undefined) return;
    const { scope, controller } = this.#turn;
    this.#turn.ending = interrupted;
    this.#core.settleScope(scope, interrupted);
    controller.abort(turnCancelled("it was cancelled"));
  }

  /** Ends the session: what is open is settled, then the turn cancelled (P-CLO-2). Resolves when it has ended. */
  close(reason: "session_closed" | "shutdown" = "session_closed"): Promise<void> {
    this.#closing ??= this.#end(reason);
    return this.#closing;
  }

  async #end(reason: "session_closed" | "shutdown"): Promise<void> {
    const ending = () => outcomeNow("withdrawn", { reason, by: "system" });
    if (this.#turn !== undefined) this.#turn.ending = ending;
    this.#core.close(ending);
    this.#turn?.controller.abort(turnCancelled("the session closed"));
    await this.#turn?.ended;
    // The prompt's reply follows the end of the turn, and goes out before the connection closes.
    await new Promise((resolve) => setImmediate(resolve));
    for (const connection of [...this.#connections]) connection.close();
  }

  #policy(request: AnyInteraction): Settlement<never> | undefined {
    if (request.kind !== "approval") return undefined;
    if (!this.#options.yolo && !this.#approved.has(request.action)) return undefined;
    const answer: ApprovalAnswer = { response: "approve", feedback: "" };
    return { outcome: outcomeNow("answered", { by: "policy" }), answer: answer as never };
  }

  /** Keeps what was approved for the session, and tells every client of a settled approval (P-APR-2). */
  #settled(request: AnyInteraction, { outcome, answer }: Settlement<unknown>, sent: boolean): void {
    if (request.kind !== "approval") return;
    const { response, feedback } = (answer as ApprovalAnswer | undefined) ?? {
      response: "reject",
      feedback: "",
    };
    if (response === "approve_for_session") this.#approved.add(request.action);
    const wordless = response === "reject" && feedback.trim() === "";
    if (this.#turn !== undefined && wordless && outcome.status === "answered" && outcome.by === "human") {
      this.#turn.rejected = true;
    }
    if (sent)
      this.broadcast({ type: "ApprovalResponse", payload: { request_id: request.id, response, feedback } });
  }
}

const givenUp = () => outcomeNow("withdrawn", { reason: "agent", by: "system" });
const interrupted = () => outcomeNow("withdrawn", { reason: "interrupted", by: "human" });
