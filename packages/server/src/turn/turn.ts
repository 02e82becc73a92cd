import { setMaxListeners } from "node:events";
import { type EventType, LocalError, type WireEventInput } from "@askwire/protocol";
import type { Payload, Turn } from "../agent/agent.js";
import { approvePerson } from "../agent/approve.js";
import { askPerson } from "../agent/ask.js";
import type { TurnAsk } from "../agent/ask-types.js";
import { currentPlace, runInContext } from "../agent/context.js";
import { MaxStepsReached } from "../agent/max-steps.js";
import type { AskingPlace } from "../agent/put.js";
import { mayBeLeft } from "../runtime/may-be-left.js";
import { once } from "./once.js";
import { ToolCalls } from "./tool-calls.js";
import type { TurnInit } from "./turn-init.js";

/** A turn as its agent sees it. Its functions are fields, so that an agent may take them apart or spread them. */
export class AgentTurn implements Turn {
  readonly id: Turn["id"];
  readonly input: Turn["input"];
  readonly signal: Turn["signal"];
  readonly wire: Turn["wire"];
  readonly hooks: Turn["hooks"];
  readonly dialectTools: Turn["dialectTools"];
  readonly resumed: Turn["resumed"];
  readonly steered: Turn["steered"];
  readonly drained: Turn["drained"];
  readonly #init: TurnInit;
  readonly #calls: ToolCalls;

  constructor(init: TurnInit) {
    this.id = init.id;
    this.input = init.input;
    this.signal = init.signal;
    this.wire = init.wire;
    this.hooks = init.hooks;
    this.dialectTools = init.host.dialectTools;
    this.resumed = init.memory?.resumed;
    this.steered = init.steered;
    this.drained = init.host.drained;
    this.#init = init;
    this.#calls = new ToolCalls(init, this);
  }

  get stopped() {
    return this.#init.stopping.stopped;
  }

  get offer() {
    return this.#init.host.offer();
  }

  get externalTools() {
    return this.#init.host.externalTools();
  }

  get planMode() {
    return this.#init.host.planMode();
  }

  get unattended() {
    return this.#init.depth === 0 && this.#init.host.unattended();
  }

  readonly emit = <T extends EventType>(type: T, payload: Payload<T>): void => {
    if (this.signal.aborted) return;
    const event = { type, payload } as WireEventInput;
    if (event.type === "ToolResult") this.#init.host.output.ended(event.payload.tool_call_id);
    this.#init.host.broadcast(event);
  };

  readonly printed: Turn["printed"] = (callId, printed) => {
    if (!this.signal.aborted) this.#init.host.output.become(callId, printed);
  };

  readonly say = (text: string): void => this.emit("ContentPart", { type: "text", text });

  readonly step = (): number => {
    const { host, memory, progress } = this.#init;
    this.signal.throwIfAborted();
    if (progress.steps >= host.maxSteps) throw new MaxStepsReached(progress.steps);
    progress.steps += 1;
    if (progress.steps > (memory?.facts.steps ?? 0)) this.emit("StepBegin", { n: progress.steps });
    return progress.steps;
  };

  readonly takeSteers: Turn["takeSteers"] = ({ told = false } = {}) => {
    const steers = this.#init.takeSteers();
    if (!told) for (const user_input of steers) this.emit("SteerInput", { user_input });
    return steers;
  };

  readonly ask = ((...given: Parameters<TurnAsk>) => mayBeLeft(askPerson(this.#asker, ...given))) as TurnAsk;

  readonly approve: Turn["approve"] = (init) => mayBeLeft(approvePerson(this.#asker, init)) as never;

  /** The tool call of this turn that the code around runs in, or the turn itself. */
  get #asker(): AskingPlace {
    const place = currentPlace(this);
    return { wire: place?.wire ?? this.wire, toolCall: place?.toolCall };
  }

  readonly callTool: Turn["callTool"] = (...call) => mayBeLeft(this.#calls.call(...call));

  readonly once: Turn["once"] = (...piece) => mayBeLeft(once(this.#init, ...piece));
}

/** Runs the agent where its `wireSend` finds this turn's wire. */
export function runTurn<T>(turn: Turn, action: () => T): T {
  return runInContext({ wire: turn.wire, turn }, action);
}

/** Makes a controller that aborts a turn. Each of many tool calls may listen to its signal. */
export function turnController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** The reason that a turn's signal is aborted with. */
export function turnCancelled(why: string): LocalError {
  return new LocalError("CLOSED", `the turn ended: ${why}`);
}
