import type {
  ContentPart,
  DisplayBlockInput,
  EventType,
  ToolCall,
  ToolReturnValue,
  UserInput,
  WireEventInput,
} from "@askwire/protocol";
import type { Wire } from "./context.js";
import type { InText } from "./model.js";
import type { TurnHooks } from "./turn-hooks.js";

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

/** The payload of an event, as it is sent. */
export type Payload<T extends EventType> = Extract<WireEventInput, { type: T }>["payload"];

/** One prompt and all that follows from it, as the agent sees it. */
export interface Turn {
  /** A UUID, or what the client that prompted called it. */
  readonly id: string;
  /** What the person said; of a sub-agent what it was told. */
  readonly input: UserInput;
  /** Aborted when the turn is cancelled or its session ends. */
  readonly signal: AbortSignal;
  /** What requests to the person are sent through; `wireSend` finds it by itself. */
  readonly wire: Wire;
  /** What tools are offered by; asked anew at each step. */
  readonly offer: ToolOffer;
  /** The tools of the session's dialects. */
  readonly dialectTools: readonly Tool[];
  /** The tools that clients bring at this moment; another one may have a name only once the agent has it not. */
  readonly externalTools: readonly Tool[];
  /** True while the agent may only look and plan. */
  readonly planMode: boolean;
  /** True while nobody is there to answer. Never in a sub-agent, which asks nobody anyway. */
  readonly unattended: boolean;
  /**
   * Whether an agent should end its turn once the calls of its step are done: the person rejected an approval without a
   * word (P-APR-5), or a tool says so.
   */
  readonly stopped: boolean;
  /** Calls the hooks that clients subscribed; nothing happens where there are none. */
  readonly hooks: TurnHooks;
  /** Tells every client an event. Without effect once the turn is cancelled. */
  emit<T extends EventType>(type: T, payload: Payload<T>): void;
  /** Tells every client a piece of text. */
  say(text: string): void;
  /**
   * Begins the next step and returns its number, from 1.
   *
   * @throws MaxStepsReached at the limit; let it through.
   */
  step(): number;
  /** Takes what was said since (`steer`), and tells the clients that it is taken: read it after each step (P-STR-2). */
  takeSteers(): UserInput[];
  /**
   * Runs a tool call: tells the clients of the call, unless `announced`, and of its result.
   *
   * @param call arguments as a value, or as a call that the model made.
   * @throws the abort's reason when the turn is cancelled meanwhile.
   */
  callTool(
    tool: Tool,
    call: ToolCall | Record<string, unknown>,
    options?: { announced?: boolean },
  ): Promise<ToolReturnValue>;
  /** Resolves once every client has taken most of what it was sent: await it between many events. */
  drained(): Promise<void>;
}

/** A tool of an agent: see {@link defineTool}, which makes one of a schema and a function. */
export interface Tool {
  /** What the model calls it by. */
  readonly name: string;
  /** Tells the model what it is for. */
  readonly description: string;
  /** The JSON Schema of the arguments, for the model. */
  readonly parameters: Record<string, unknown>;
  /** Whether the model is offered it; decided at the start of each step. Default: always. */
  readonly offered?: (offer: ToolOffer) => boolean;
  /** What the instructions of a step say of it while it is offered. Default: nothing. */
  readonly prompt?: string;
  /** Calls of it wait for the calls before them, and hold those after them. Default: all run at once. */
  readonly exclusive?: boolean;
  /** Its results hold what a person said: they stay word for word when a conversation is compacted. Default: false. */
  readonly keepsResult?: boolean;
  /**
   * What the model reads of a call that the end of its turn overtook: clients are told no result (P-TRN-6). Default: that
   * it is not known what the call did until then.
   */
  readonly interrupted?: ToolReturnValue;
  /** How its calls are written in the model's text. Default: providers are told of it, and calls are theirs. */
  readonly inText?: InText;
  /** Runs a call. What it throws becomes a result with `is_error`, and a line of the log (P-STP-6). */
  call(call: ToolCall, run: Omit<ToolRun, "toolCall">, wire: Wire): Promise<ToolReturnValue>;
}

/** What a tool gives back. A plain string is an `output`. */
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

/** What a tool may know of the session that it is offered in. */
export interface ToolOffer {
  /** Whether a question would reach somebody, or wait for somebody. */
  readonly canAsk: boolean;
  /** Whether a client of the session declared that it can show plan mode. */
  readonly canPlan: boolean;
}

/** What a tool may know and do while it runs one call. */
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
  /** Tells every client an event. Without effect once the turn is cancelled. */
  emit(event: WireEventInput): void;
  /** The agent makes no further model call in this turn: it ends once the calls of this step are done. */
  stopTurn(): void;
  /** Runs another agent within this call: clients see what it does as SubagentEvent (P-SUB-1). */
  subagent(subagent: Subagent): Promise<SubagentEnding>;
}

/** An agent that works within a tool call of another. */
export interface Subagent {
  /** What does the work. */
  readonly agent: Agent;
  /** What kind it is: clients show it, and approvals that it asks for name it. */
  readonly type: string;
  /** What it is told to do. */
  readonly input: UserInput;
  /** What clients tell it from others by. Default: a new one. */
  readonly id?: string;
  /** One line for the person on what it is for. */
  readonly description?: string;
}

/** How it ended, with what it said in its last step. */
export type SubagentEnding = TurnEnding & { readonly text: string };
