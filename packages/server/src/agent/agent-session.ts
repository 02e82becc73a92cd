import type { Attendance } from "../requests/core.js";
import type { Agent } from "./agent.js";
import type { Message } from "./model.js";

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
