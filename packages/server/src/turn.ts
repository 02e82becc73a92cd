import {
  type EventType,
  LocalError,
  type ToolCall,
  type ToolReturnValue,
  type UserInput,
  type WireEventInput,
} from "@askwire/protocol";
import { v4 as uuid } from "uuid";
import { runInContext, type Wire } from "./context.js";
import type { Tool, ToolOffer } from "./tool.js";

type Payload<T extends EventType> = Extract<WireEventInput, { type: T }>["payload"];

/** One prompt and all that follows from it, as the agent sees it. */
export interface Turn {
  readonly id: string;
  readonly input: UserInput;
  /** Aborted when the turn is cancelled or its session ends. */
  readonly signal: AbortSignal;
  readonly wire: Wire;
  /** What tools are offered by; asked anew at each step. */
  readonly offer: ToolOffer;
  /** Whether the person rejected an approval without a word: an agent then ends its turn (P-APR-5). */
  readonly rejected: boolean;
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

/** The limit of steps was reached: the turn ends with that status. */
export class MaxStepsReached extends Error {
  override readonly name = "MaxStepsReached";
  readonly steps: number;

  constructor(steps: number) {
    super(`the limit of ${steps} steps is reached`);
    this.steps = steps;
  }
}

/** What a turn needs of its session. */
export interface TurnHost {
  broadcast(event: WireEventInput): void;
  offer(): ToolOffer;
  unattended(): boolean;
  rejected(): boolean;
  readonly maxSteps: number;
  drained(): Promise<void>;
}

/** Makes the agent's view of a turn. */
export function createTurn(
  input: UserInput,
  host: TurnHost,
  wire: Wire,
  signal: AbortSignal,
): Turn & { readonly steps: number } {
  let steps = 0;

  const turn = {
    id: uuid(),
    input,
    signal,
    wire,
    get rejected() {
      return host.rejected();
    },
    get offer() {
      return host.offer();
    },
    get steps() {
      return steps;
    },
    emit<T extends EventType>(type: T, payload: Payload<T>) {
      if (!signal.aborted) host.broadcast({ type, payload } as WireEventInput);
    },
    say(text: string) {
      turn.emit("ContentPart", { type: "text", text });
    },
    step() {
      signal.throwIfAborted();
      if (steps >= host.maxSteps) throw new MaxStepsReached(steps);
      steps += 1;
      turn.emit("StepBegin", { n: steps });
      return steps;
    },
    async callTool(
      tool: Tool,
      call: ToolCall | Record<string, unknown>,
      { announced = false }: { announced?: boolean } = {},
    ) {
      signal.throwIfAborted();
      const toolCall = isToolCall(call) ? call : newToolCall(tool.name, call);
      if (!announced) turn.emit("ToolCall", toolCall);
      const running = tool.call(toolCall, { signal, unattended: host.unattended() }, wire);
      const value = cutToFit(await unlessAborted(running, signal));
      turn.emit("ToolResult", { tool_call_id: toolCall.id, return_value: value });
      return value;
    },
    drained: () => host.drained(),
  } satisfies Turn & { readonly steps: number };
  return turn;
}

/** Runs the agent where its `wireSend` finds this turn's wire. */
export function runTurn<T>(turn: Turn, action: () => T): T {
  return runInContext({ wire: turn.wire }, action);
}

/** Waits for `work`, but no longer than until the signal: then it throws the signal's reason. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The reason that a turn's signal is aborted with. */
export function turnCancelled(why: string): LocalError {
  return new LocalError("CLOSED", `the turn ended: ${why}`);
}

/** Bytes of a tool's result, as JSON, that fit into a message beside all else (P-LIM-4). */
const MAX_RESULT = 12 * 1024 * 1024;

/** Cuts an output that is too long to send, and says so in it; a result that is too long otherwise is an error. */
function cutToFit(value: ToolReturnValue): ToolReturnValue {
  const written = Buffer.byteLength(JSON.stringify(value));
  if (written <= MAX_RESULT) return value;
  const { output } = value;
  const outputBytes = typeof output === "string" ? Buffer.byteLength(JSON.stringify(output)) : 0;
  const room = MAX_RESULT - (written - outputBytes);
  if (typeof output !== "string" || room <= 0) {
    const message = `The tool's result is ${written} bytes long, and at most ${MAX_RESULT} can be sent.`;
    return { is_error: true, output: "", message, display: [], extras: null };
  }
  const kept = Math.floor((output.length * room) / outputBytes);
  return {
    ...value,
    output: `${output.slice(0, kept)}\n[cut: the first ${kept} of ${output.length} characters]`,
  };
}

function isToolCall(call: ToolCall | Record<string, unknown>): call is ToolCall {
  return call.type === "function" && typeof call.id === "string" && typeof call.function === "object";
}

function newToolCall(name: string, params: Record<string, unknown>): ToolCall {
  return {
    type: "function",
    id: uuid(),
    function: { name, arguments: JSON.stringify(params) },
    extras: null,
  };
}
