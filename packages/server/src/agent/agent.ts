import type { Attendance } from "../requests/core.js";
import type { Turn } from "../turn/turn.js";
import type { Message } from "./model.js";
import type { Tool } from "./tool.js";

/** How an agent ended its turn; `finished` unless it says otherwise. */
export type TurnEnding = { status: "finished" } | { status: "max_steps_reached"; steps: number };

/** Whatever drives a conversation: bring your own loop, or use `modelAgent`. */
export interface Agent {
  /**
   * Runs one turn. Ends when the turn is done; throws what the prompt should be answered with. When
   * `turn.signal` is aborted nobody waits for it any more.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: an agent that just ends returns nothing.
  run(turn: Turn): Promise<TurnEnding | void>;
  /** Commands that a prompt may begin with. Clients are told of them in `initialize`. Default: none. */
  readonly commands?: readonly SlashCommand[];
  /** Its own tools: no client may bring one under such a name. Default: none. */
  readonly tools?: readonly Tool[];
}

/** A prompt `/name args` runs this instead of the agent, as a turn without a step (P-SLH-1). */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  /** One line for the person. */
  readonly description: string;
  /** Other names for it. Default: none. */
  readonly aliases?: readonly string[];
  /** @param args what follows the name, trimmed. */
  run(turn: Turn, args: string): Promise<void>;
}

/** What an agent may know and change of the session that it was made for. */
export interface AgentSession {
  /** What clients attach to it by, and what it is kept under. */
  readonly id: string;
  /** Whether somebody is there; what is open is looked at again when it is set (P-ATT-1 to P-ATT-3). */
  attendance: Attendance;
  /** Whether approvals are given without asking. */
  yolo: boolean;
  /** Setting it tells every client (P-PLN-1). */
  planMode: boolean;
  /** What earlier turns of the session left; undefined where it is kept nowhere. */
  readonly history: History | undefined;
}

/** Where a conversation is kept from one process to the next. */
export interface History {
  /** What is kept, oldest first. */
  load(): readonly Message[];
  /** Adds what was said since. */
  append(messages: readonly Message[]): void;
  /** Forgets what was kept and keeps this. */
  replace(messages: readonly Message[]): void;
}

/** Makes an agent for each session, where it has a state of its own. */
export type AgentFactory = (session: AgentSession) => Agent;
