import type {
  ContentPart,
  DisplayBlockInput,
  EventType,
  ToolCall,
  ToolReturnValue,
  UserInput,
  WireEventInput,
} from "@askwire/protocol";
import type { CallPlace } from "../requests/interaction.js";
import type { TurnApprove } from "./approve-types.js";
import type { TurnAsk } from "./ask-types.js";
import type { InText } from "./model.js";
import type { TurnHooks } from "./turn-hooks.js";
import type { Wire } from "./wire.js";

/** The way in which an agent ended its turn. Default: `finished`. */
export type TurnEnding = { status: "finished" } | { status: "max_steps_reached"; steps: number };

/** Whatever drives a conversation: bring your own loop, or use `modelAgent`. */
export interface Agent {
  /**
   * Runs a turn, until the turn is done. Throws the error for the reply to the prompt. After `turn.signal` is aborted
   * nobody waits for the turn.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: an agent that just ends returns nothing.
  run(turn: Turn): Promise<TurnEnding | void>;
  /**
   * Commands that a prompt may begin with. Clients are told of them in `initialize`, and of other ones where the agent
   * calls `commandsChanged` of its session. Default: none.
   */
  readonly commands?: readonly SlashCommand[];
  /**
   * True if `run` may be called again, in a new process, for a turn that an earlier process left. The turn then has the
   * same id and input, its calls and `once` give back what is done, and its requests continue under their ids
   * (P-RES-4). Default: false, so that such a turn ends as failed.
   */
  readonly resumes?: boolean;
  /** The agent's own tools, whose names no client may use. Default: none. */
  readonly tools?: readonly Tool[];
  /**
   * True if the agent passes on another agent of the wire, which calls the hooks of clients itself and decides if its
   * sub-agents may ask. The session then calls no hook, and sends each question of a sub-agent. Default: false.
   */
  readonly relays?: boolean;
  /**
   * The time at which tools that clients bring reach the agent. `never` has them rejected. With `next_prompt` a client
   * that brings tools or hooks in the middle of a turn is told so (P-EXT-9). Default: `now`.
   */
  readonly takesTools?: "now" | "next_prompt" | "never";
  /**
   * Called with the tools of clients while no turn runs, before a client that brought some is introduced. Resolves with
   * those that the agent refuses, which are taken away again. Default: the agent takes all.
   */
  offered?(): Promise<readonly RefusedTool[]>;
  /**
   * The conversation before this session, as the agent itself has kept it: replays and histories begin with these
   * messages (P-XHI-5). Default: none.
   */
  readonly past?: readonly PastMessage[];
  /**
   * Settles once the agent knows its commands: clients are introduced after that. A rejection is their reply. Default:
   * they are known at once.
   */
  readonly ready?: Promise<void>;
  /**
   * Ends the agent of a session that has ended, after its last turn; the session waits 5 seconds at most. An agent that
   * serves all sessions is not closed. Default: nothing to end.
   */
  close?(): void | Promise<void>;
}

/** A tool of a client that the agent does not take, with the reason for the client. */
export interface RefusedTool {
  readonly name: string;
  readonly reason: string;
}

/** A message that another process told its clients. */
export interface PastMessage {
  /**
   * A `note` is for clients of the extended profile alone: an InteractionSettled, or an InteractionOpened with the
   * `kind` and the `request` of an approval.
   */
  readonly form: "event" | "request" | "note";
  readonly type: string;
  readonly payload: unknown;
}

/** A prompt `/name args` runs this instead of the agent, as a turn without a step (P-SLH-1). */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  /** A line for the person. */
  readonly description: string;
  /** Other names for it. Default: none. */
  readonly aliases?: readonly string[];
  /** @param args what follows the name, trimmed. */
  run(turn: Turn, args: string): Promise<void>;
}

/** The payload of an event, as sent. */
export type Payload<T extends EventType> = Extract<WireEventInput, { type: T }>["payload"];

/** An event as clients were told it. */
export interface ToldEvent {
  readonly type: string;
  readonly payload: unknown;
}

/** The part of a turn that earlier processes left. */
export interface ResumedTurn {
  /** The number of times that the turn was run again, this time included. */
  readonly attempt: number;
  /** The events that clients were told, from TurnBegin on. */
  readonly events: readonly ToldEvent[];
  /** True for a call that a process had started. */
  isStarted(call: CallPlace): boolean;
  /**
   * Takes the answers that persons gave and that nothing has asked for again, such as those of a tool that is gone:
   * for each a text for the model. Call it once all calls that were left have run (P-RES-8).
   */
  takeUnasked(): string[];
}

/** A prompt and all its consequences, as the agent sees them. */
export interface Turn {
  /** A UUID, or the id given by the client that prompted. */
  readonly id: string;
  /** The person's words; for a sub-agent, its task. */
  readonly input: UserInput;
  /** Aborted when the turn is cancelled or its session ends. */
  readonly signal: AbortSignal;
  /** The way to send requests to the person, which `wireSend` finds by itself. */
  readonly wire: Wire;
  /** The facts that decide which tools are offered, read anew at each step. */
  readonly offer: ToolOffer;
  /** The tools of the session's dialects. */
  readonly dialectTools: readonly Tool[];
  /** The tools that clients bring now. A name stays taken until the agent has lost its tool. */
  readonly externalTools: readonly Tool[];
  /** True while the agent may only look and plan. */
  readonly planMode: boolean;
  /** True while nobody is there to answer. Never in a sub-agent, which asks nobody anyway. */
  readonly unattended: boolean;
  /**
   * True if an agent should end its turn after the calls of its step (P-APR-5). The reasons are a wordless rejection
   * and a tool's wish.
   */
  readonly stopped: boolean;
  /** Set for a turn that an earlier process left, and that runs again. */
  readonly resumed: ResumedTurn | undefined;
  /** Calls the subscribed hooks of clients. Does nothing without hooks. */
  readonly hooks: TurnHooks;
  /** Asks the person a question, or several, anywhere in the turn. */
  readonly ask: TurnAsk;
  /** Asks the person to allow an action, anywhere in the turn. */
  readonly approve: TurnApprove;
  /** Sends every client an event. Without effect once the turn is cancelled. */
  emit<T extends EventType>(type: T, payload: Payload<T>): void;
  /**
   * Tells clients what a running call has printed, for an agent that passes another one's calls on: its last lines, in
   * the place of those said before, and how many there were (P-XCO-1). A tool of its own uses {@link ToolRun.printed}.
   */
  printed(callId: string, printed: { readonly text: string; readonly lines: number }): void;
  /** Sends every client a piece of text. */
  say(text: string): void;
  /**
   * Begins the next step and returns its number, from 1.
   *
   * @throws MaxStepsReached at the limit; let it through.
   */
  step(): number;
  /** Resolves once the person has said something that {@link Turn.takeSteers} gives; never after the turn. */
  steered(): Promise<void>;
  /**
   * Takes the person's new words (`steer`), and tells the clients so (P-STR-2). Call it after each step.
   *
   * @param options.told true for an agent that tells the clients itself, once the words are read. Default: false.
   */
  takeSteers(options?: { readonly told?: boolean }): UserInput[];
  /**
   * Runs a tool call: tells the clients of the call, unless `announced`, and of its result. In a turn that runs again,
   * a call that has its result gives that back, and `restart` of the tool says what becomes of one that was cut off
   * (P-RES-5).
   *
   * @param call arguments as a value, or as a call that the model made.
   * @throws the abort's reason when the turn is cancelled meanwhile.
   */
  callTool(
    tool: Tool,
    call: ToolCall | Record<string, unknown>,
    options?: CallOptions,
  ): Promise<ToolReturnValue>;
  /**
   * Does a piece of work once in the turn, whichever process runs it: later processes are given its result (P-RES-7).
   *
   * @param key the name of the work, another one for each piece.
   * @param work makes a JSON value, which lies in the journal as plain text.
   * @param options `again` lets work that was cut off run again. Default: it is in doubt.
   * @throws Interrupted for work that was begun and not done, and LocalError INVALID_STATE for a key that was used.
   */
  once<T>(key: string, work: () => T | Promise<T>, options?: { again?: boolean }): Promise<T>;
  /** Resolves once every client has taken most of the sent messages. Await it between many events. */
  drained(): Promise<void>;
}

/** The ways of a tool call. */
export interface CallOptions {
  /** True if clients were told of the call. Default: false. */
  readonly announced?: boolean;
  /**
   * Takes the results of questions that the tool asks in the background. Left out by an agent that cannot tell its
   * model of them: the tool then waits (P-XBG-1).
   */
  readonly later?: TakesLater;
  /** Names a call of arguments, so that it is found again when the turn is. Default: it has a new id each time. */
  readonly key?: string;
  /** The number among the turn's calls with the same id, from 1. Default: they are counted as they are made. */
  readonly nth?: number;
  /**
   * True for a call of an agent that {@link Agent.relays another} made, which tells clients of the call and its result,
   * and calls their hooks. Default: false.
   */
  readonly relayed?: boolean;
}

/** The result of a question that a tool asked in the background. */
export interface LateResult {
  /** The call that asked. */
  readonly callId: string;
  /** The texts of the questions, on one line. */
  readonly what: string;
  /** Rejects when the turn ends first. */
  readonly result: Promise<ToolReturnValue>;
}

/** Takes the result of a question that outlives its call. */
export type TakesLater = (late: LateResult) => void;

/**
 * The rule for a call that was cut off when its process ended. `interrupt`: the call is not run again, and the model is
 * told that the effect is not known. `asks-first`: nothing happens before the first request, so the call runs again
 * until an answer has let it continue. `again`: the call only reads, or may have its effect twice.
 */
export type ToolRestart = "interrupt" | "asks-first" | "again";

/** A tool of an agent: see {@link defineTool}, which makes one of a schema and a function. */
export interface Tool {
  /** The name for the model. */
  readonly name: string;
  /** Tells the model the purpose of the tool. */
  readonly description: string;
  /** The JSON Schema of the arguments, for the model. */
  readonly parameters: Record<string, unknown>;
  /** Decides at the start of each step if the model is offered the tool. Default: always. */
  readonly offered?: (offer: ToolOffer) => boolean;
  /** The tool's part of a step's instructions while it is offered. Default: nothing. */
  readonly prompt?: string;
  /** Calls of it wait for the calls before them, and hold those after them. Default: all run at once. */
  readonly exclusive?: boolean;
  /** The rule for a call that its process left. Default: `interrupt` (P-RES-5). */
  readonly restart?: ToolRestart | ((call: ToolCall) => ToolRestart);
  /** True if results hold a person's words, and so survive compaction word for word. Default: false. */
  readonly keepsResult?: boolean;
  /**
   * The result of a call that outlived its turn or its process, for the model; clients are told no result (P-TRN-6). Default: a text
   * that says that the effect of the call is unknown.
   */
  readonly interrupted?: ToolReturnValue;
  /** The form of calls in the model's text. Default: a tool of the provider's, whose calls come apart from text. */
  readonly inText?: InText;
  /** Runs a call. An exception becomes a result with `is_error`, and a line of the log (P-STP-6). */
  call(call: ToolCall, run: Omit<ToolRun, "toolCall">, wire: Wire): Promise<ToolReturnValue>;
}

/** Tools that may be others at each prompt, such as those of a program that comes and goes. */
export interface ToolSet {
  /** The tools of the prompt that runs, with names that no other tool of the agent has. */
  readonly tools: readonly Tool[];
  /** Called at the beginning of each prompt, which waits for that. `signal` is aborted when the turn is cancelled. */
  begin(signal: AbortSignal): Promise<void>;
  /** Called once the session has ended. */
  close(): Promise<void>;
}

/** The return value of a tool. A plain string is an `output`. */
export interface ToolReturn {
  /** For the model. Default: empty. */
  output?: string | ContentPart[];
  /** Explains the output to the model. Default: empty. */
  message?: string;
  /** For the person. Default: none. */
  display?: DisplayBlockInput[];
  /** Default: false. */
  is_error?: boolean;
  /** For programs: not shown to the model. Default: null. */
  extras?: Record<string, unknown>;
}

/** The facts of a session that decide about offering a tool. */
export interface ToolOffer {
  /** True if a question would reach a person, or wait for one. False where a person does not want to be asked (P-XDN-2). */
  readonly canAsk: boolean;
  /** True if a client of the session declared that it can show plan mode. */
  readonly canPlan: boolean;
}

/** The means of a tool during a call. */
export interface ToolRun {
  /** The call as the model made it. */
  readonly toolCall: ToolCall;
  /** Aborted when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** True while nobody is there to answer (`--afk`). */
  readonly unattended: boolean;
  /** True while the agent may only look and plan: a tool that changes something then refuses. */
  readonly planMode: boolean;
  /** Switches plan mode and tells every client. */
  setPlanMode(enabled: boolean): void;
  /** Sends every client an event. Without effect once the turn is cancelled. */
  emit(event: WireEventInput): void;
  /**
   * Adds to what the call has printed so far. Clients that show it are told its last lines, at most ten times a second
   * (P-XCO-1); the result has what the model reads. Without effect once the call has ended.
   */
  printed(text: string): void;
  /** Stops the agent after the calls of this step: the turn makes no further model call. */
  stopTurn(): void;
  /** Takes the result of a question in the background; undefined where the agent cannot tell its model of one. */
  readonly later?: TakesLater | undefined;
  /** Runs another agent within this call. Clients see its events as SubagentEvent (P-SUB-1). */
  subagent(subagent: Subagent): Promise<SubagentEnding>;
}

/** An agent that works within a tool call of another. */
export interface Subagent {
  /** The agent that does the work. */
  readonly agent: Agent;
  /** The kind of sub-agent, which clients show and its approvals name. */
  readonly type: string;
  /** The task. */
  readonly input: UserInput;
  /** The id by which clients tell sub-agents apart. Default: a new id. */
  readonly id?: string;
  /** A line for the person on the purpose of the sub-agent. */
  readonly description?: string;
}

/** The ending of a sub-agent, with the text of its last step. */
export type SubagentEnding = TurnEnding & { readonly text: string };
