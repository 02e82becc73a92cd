import type { ContentPart, HookEvent, PolicyDecision, WireEventInput } from "@askwire/protocol";
import type { AnyInteraction, Attendance } from "../requests/core.js";
import type { Agent, Tool, ToolOffer } from "./agent.js";
import type { Message, ModelGiven } from "./model.js";
import type { Notice } from "./notice.js";
import type { HookVerdict } from "./turn-hooks.js";

/** The part of its session that an agent may read and change. */
export interface AgentSession {
  /** The id by which clients attach to the session, and under which the session is kept. */
  readonly id: string;
  /** The attendance of the session. Setting it looks at open requests again (P-ATT-1 to P-ATT-3). */
  attendance: Attendance;
  /** True if approvals are given without asking. */
  yolo: boolean;
  /**
   * The subject in lists of sessions, one line of at most 120 characters: set by the agent, else the first line of the
   * first prompt that is no slash command. Undefined before that. Setting undefined restores the prompt's (P-XSE-4).
   */
  get title(): string | undefined;
  set title(title: string | undefined);
  /** Setting it notifies every client (P-PLN-1). */
  planMode: boolean;
  /**
   * True if a person does not want to be asked: questions then end at once, as `unavailable`, `do_not_ask`, also those
   * that are open. Approvals are still asked. Setting it notifies every client (P-XDN-1).
   */
  doNotAsk: boolean;
  /** True for a kept session in which an earlier process had a turn. */
  readonly isContinued: boolean;
  /** The conversation of earlier turns; undefined for a session that is not kept. */
  readonly history: History | undefined;
  /** A value that the agent keeps from one process to the next; undefined for a session that is not kept. */
  readonly memory: AgentMemory | undefined;
  /** The absolute path of the folder that the agent works in. */
  readonly workDir: string;
  /** The state that tools are offered by at this moment. */
  readonly offer: ToolOffer;
  /** The tools that clients bring now. A name stays taken until the agent has lost its tool. */
  readonly externalTools: readonly Tool[];
  /** The hooks that clients have subscribed now, for an agent that {@link Agent.relays relays} another. */
  readonly clientHooks: readonly ClientHook[];
  /** Opens a request of this process: in the running turn, and else in the session itself. */
  open(request: AnyInteraction): void;
  /** Sends every client an event, also between turns. */
  broadcast(event: WireEventInput): void;
  /**
   * Tells every client of an event outside the conversation, also between turns, and then the hooks of it. Resolves
   * when these have answered (P-NOT-1).
   */
  notify(notice: Notice): Promise<void>;
  /** Tells clients what a rule of an agent behind this one decided without asking, also between turns (P-XAO-11). */
  policyDecided(decision: PolicyDecision): void;
  /** Tells the clients that the agent's `commands` have changed (P-SLH-3). */
  commandsChanged(): void;
  /**
   * Calls `changed` whenever plan mode, attendance, `yolo` or `doNotAsk` was set, or a client came, went or declared
   * other abilities or tools. The returned function ends that. Called in the middle of the change, so act on it later.
   */
  watch(changed: () => void): () => void;
}

/** A hook that a client subscribed (P-HOK-1). */
export interface ClientHook {
  readonly event: HookEvent;
  /** The regular expression over the target; empty for every target. */
  readonly matcher: string;
  /** The patience for the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** True if the hook blocks when it fails or gives no answer in time. */
  readonly strict: boolean;
  /**
   * Asks the client. Resolves with its decision; with "allow", or "block" of a strict hook, where there is none. Never
   * rejects, and resolves with "block" once the turn or the session around it has ended.
   */
  call(target: string, input: Readonly<Record<string, unknown>>): Promise<HookVerdict>;
}

/** The step of a turn that a message belongs to; 0 for the prompt. */
export interface MessagePlace {
  readonly turn_id: string;
  readonly step: number;
}

/** A message as a history has it, by which a turn of an earlier process continues where the history ends. */
export type KeptMessage = Message & { readonly at?: MessagePlace | undefined };

/** A small value of an agent that is kept with its session, such as the id of a conversation elsewhere (P-JRN-13). */
export interface AgentMemory {
  /** The last value that was set, also by an earlier process; undefined without one. */
  get(): unknown;
  /**
   * Keeps a JSON value in the place of the one before.
   *
   * @throws TypeError for no JSON, or more than 16,384 characters of it.
   */
  set(value: unknown): void;
}

/** A conversation that is kept from one process to the next. */
export interface History {
  /** The kept messages, oldest first. */
  load(): readonly KeptMessage[];
  /** Adds new messages. */
  append(messages: readonly KeptMessage[]): void;
  /** Replaces all kept messages. */
  replace(messages: readonly KeptMessage[]): void;
  /** Notes for later readers the instructions and tools of the step that begins (P-JRN-14). Default: not noted. */
  asked?(request: ModelGiven): void;
  /** Notes the model's words of a step with calls in its text, as it wrote them (P-JRN-14). Default: not noted. */
  said?(content: readonly ContentPart[]): void;
  /** Notes that the model knows no more than these messages (P-JRN-15). Default: not noted. */
  forgot?(messages: readonly KeptMessage[]): void;
}

/** Makes an agent for each session, where it has its own state. */
export type AgentFactory = (session: AgentSession) => Agent;
