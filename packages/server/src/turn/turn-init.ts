import type { ToolCall, UserInput, WireEventInput } from "@askwire/protocol";
import type { Subagent, SubagentEnding, Tool, ToolOffer, Turn } from "../agent/agent.js";
import type { TurnHooks } from "../agent/turn-hooks.js";
import type { Wire } from "../agent/wire.js";
import type { AnyInteraction } from "../requests/core.js";
import type { CallPlace } from "../requests/interaction.js";
import type { Scope } from "../requests/scope.js";
import type { TurnMemory } from "./turn-facts.js";

/** Takes what running calls print, for clients that show it (P-XCO-1). */
export interface RunningOutput {
  /** Adds to what a call has printed. */
  printed(callId: string, text: string): void;
  /** Takes what another agent says of a call of its own, in the place of what it said before. */
  become(callId: string, printed: { readonly text: string; readonly lines: number }): void;
  /** Forgets a call that has its result. */
  ended(callId: string): void;
}

/** The services that a session gives its turns, or a turn gives its sub-agents. */
export interface TurnHost {
  broadcast(event: WireEventInput): void;
  offer(): ToolOffer;
  readonly dialectTools: readonly Tool[];
  externalTools(): readonly Tool[];
  planMode(): boolean;
  setPlanMode(enabled: boolean): void;
  unattended(): boolean;
  drained(): Promise<void>;
  readonly output: RunningOutput;
  readonly maxSteps: number;
  /** True if a sub-agent may ask the person. */
  readonly subagentQuestions: boolean;
}

/** The numbers and names that a turn has used. */
export interface TurnProgress {
  steps: number;
  /** The number of calls by their ids; made with the first. */
  calls?: Map<string, number>;
  /** The keys of `once`; made with the first. */
  keys?: Set<string>;
}

/** The parts of a turn. */
export interface TurnInit {
  readonly id: string;
  readonly input: UserInput;
  readonly host: TurnHost;
  readonly wire: Wire;
  readonly signal: AbortSignal;
  readonly scope: Scope;
  /** Registers and sends a request that lies in a scope. */
  open(request: AnyInteraction, scope: Scope): void;
  /** Gives up the open requests of a scope. */
  settle(scope: Scope): void;
  readonly hooks: TurnHooks;
  /** Counted on by a turn that continues with another input. */
  readonly progress: TurnProgress;
  /**
   * Keeps that a call is about to run. Resolves once that is safe, with false for a call that must not run. Default:
   * nothing is kept.
   */
  readonly startCall?: ((place: CallPlace) => Promise<boolean>) | undefined;
  /** The part that outlives the process. Default: nothing does. */
  readonly memory?: TurnMemory | undefined;
  /** Set to end the turn after its step. */
  readonly stopping: { stopped: boolean };
  takeSteers(): UserInput[];
  /** Resolves once words wait that `takeSteers` gives. */
  steered(): Promise<void>;
  /** Writes an exception in a tool to the log, with its place. */
  exception(error: unknown, toolCall: ToolCall, place?: { readonly subagent: string }): void;
  /** The depth of sub-agents in sub-agents; 0 for a turn of the session. */
  readonly depth: number;
  /** Runs a sub-agent within a call of this turn. */
  runSubagent(init: TurnInit, turn: Turn, toolCall: ToolCall, subagent: Subagent): Promise<SubagentEnding>;
}
