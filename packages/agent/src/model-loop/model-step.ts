import type { ContentPart, ToolCall, ToolReturnValue } from "@askwire/protocol";
import {
  type InText,
  type Message,
  type Model,
  ModelError,
  type ModelPart,
  type ModelRequest,
  type TakesLater,
  type TokenUsage,
  type Tool,
  type Turn,
} from "@askwire/server";
import { MissingTool } from "@askwire/server/internal";
import { contextFigures } from "./context-figures.js";
import type { LeftStep } from "./left-step.js";

/** A call that runs while the model still speaks. */
interface RunningCall {
  readonly call: ToolCall;
  /** Set for a call that was written in the text. */
  readonly inText: InText | undefined;
  readonly value: Promise<ToolReturnValue>;
  /** Its result, where the end of the turn overtakes it. */
  readonly interrupted: ToolReturnValue | undefined;
  /** True if later calls wait for this call. */
  readonly exclusive?: boolean;
  /** Its value, once it is there. */
  result?: ToolReturnValue;
}

/** The progress of an attempt at a step. An attempt with calls cannot be repeated. */
export interface StepProgress {
  readonly content: ContentPart[];
  readonly calls: RunningCall[];
  /** True once the model's whole message was told. */
  spoken: boolean;
  /** The number of the turn's calls by their ids. */
  readonly numbers: Map<string, number>;
}

export const newProgress = (numbers: Map<string, number>): StepProgress => ({
  content: [],
  calls: [],
  spoken: false,
  numbers,
});

/** The messages of an unfinished step. Models refuse a call without a result (P-STP-5). */
export function unfinishedStep(progress: StepProgress): Message[] {
  const { content, calls, spoken } = progress;
  if (content.length === 0 && calls.length === 0) return [];
  const results = resultMessages(
    calls.map((call) => ({ ...call, result: call.result ?? call.interrupted ?? INTERRUPTED })),
  );
  return spoken ? results : [spokenMessage(progress), ...results];
}

/** The model's words and calls as they are given back to it. */
export const spokenMessage = ({ content, calls }: Spoken): SpokenMessage => ({
  role: "assistant",
  content,
  tool_calls: calls.filter(({ inText }) => inText === undefined).map(({ call }) => call),
});

/** The results of a step's calls: first those of a provider's tools, then one message for calls in the text. */
export function resultMessages(
  calls: readonly (Pick<RunningCall, "call" | "inText"> & { result: ToolReturnValue })[],
): Message[] {
  const messages: Message[] = [];
  const said: ContentPart[] = [];
  for (const { call, inText, result } of calls) {
    if (inText === undefined) messages.push({ role: "tool", tool_call_id: call.id, result });
    else said.push(...inText.result(call, result));
  }
  return said.length === 0 ? messages : [...messages, { role: "user", content: said }];
}

/** The model's own message of a step. */
export type SpokenMessage = Extract<Message, { role: "assistant" }>;

/** Takes that message. `hasWritten` is true where it has calls in its text. */
type TakesSpoken = (message: SpokenMessage, hasWritten: boolean) => void;

/** The offered tools that a provider is told of: those that are not called in the text. */
export const toldTools = (offered: readonly Tool[]): readonly Tool[] =>
  offered.filter(({ inText }) => inText === undefined);

/** True if a step has calls in the text. */
const hasWritten = ({ calls }: Pick<StepProgress, "calls">) =>
  calls.some(({ inText }) => inText !== undefined);

interface Spoken {
  readonly content: ContentPart[];
  readonly calls: readonly Pick<RunningCall, "call" | "inText">[];
}

const INTERRUPTED: ToolReturnValue = {
  is_error: true,
  output: "",
  message: "The turn ended before this call was done: what it did until then is not known.",
  display: [],
  extras: null,
};

/** The results of a step's calls, and the tokens that its provider counted. */
export interface StepResult {
  readonly results: readonly Message[];
  readonly usage: TokenUsage | undefined;
}

/**
 * Asks the model once (P-STP-1 to P-STP-3). Sends the clients its words as they come, runs its calls, and gathers both.
 *
 * @param tools all tools that run if called, also those that are not `offered`.
 * @param spoken called with the model's whole message, before its calls are awaited.
 * @param later takes the results of questions that outlive their calls.
 * @throws ModelError for a failure of the provider, the abort's reason when the turn is cancelled.
 */
export async function runStep(
  turn: Turn,
  model: Model,
  tools: readonly Tool[],
  offered: readonly Tool[],
  request: Omit<ModelRequest, "tools" | "signal">,
  progress: StepProgress,
  spoken: TakesSpoken,
  later: TakesLater,
): Promise<StepResult> {
  const { content, calls } = progress;
  const run = callRunner(turn, tools, calls, later);
  const status: { message_id?: string; usage?: TokenUsage } = {};
  let pending: Begun | undefined;
  let parts = 0;

  /** A call is complete, and starts, once something else than more of its arguments comes. */
  function startPending(): void {
    if (pending !== undefined) run(pending);
    pending = undefined;
  }

  const stream = model.stream({ ...request, tools: toldTools(offered), signal: turn.signal });
  for await (const part of inTextOf(tools).reduce((read, inText) => inText.read(read), stream)) {
    turn.signal.throwIfAborted();
    if (part.type !== "tool_call_part") startPending();
    pending = take(turn, part, progress, status) ?? pending;
    if (part.type === "tool_call_part" && pending !== undefined) extend(pending.call, part.arguments_part);
    parts += 1;
    if (parts % 64 === 0) await turn.drained();
  }
  turn.signal.throwIfAborted();
  if (pending === undefined && calls.length === 0) requireWords(content);
  startPending();
  progress.spoken = true;
  spoken(spokenMessage(progress), hasWritten(progress));
  tellStatus(turn, model, status);
  const results = await Promise.all(calls.map(async (call) => ({ ...call, result: await call.value })));
  return { results: resultMessages(results), usage: status.usage };
}

/**
 * Resumes a step that an earlier process left, whose model has spoken as far as it came (P-RES-10). A call with a
 * result has that one, and each other call runs as its tool's `restart` says.
 */
export async function goOnWithStep(
  turn: Turn,
  model: Model,
  tools: readonly Tool[],
  left: LeftStep,
  progress: StepProgress,
  spoken: TakesSpoken,
  later: TakesLater,
): Promise<StepResult> {
  const { content, calls } = progress;
  const run = callRunner(turn, tools, calls, later);
  content.push(...left.content);
  for (const { call, nth, inText, result } of left.calls) {
    const done = result && { call, inText, value: Promise.resolve(result), result, interrupted: undefined };
    run({ call, nth, inText }, done);
  }
  progress.spoken = true;
  spoken(spokenMessage(progress), hasWritten(progress));
  if (!left.isSpoken) tellStatus(turn, model, {});
  const results = await Promise.all(calls.map(async (call) => ({ ...call, result: await call.value })));
  return { results: resultMessages(results), usage: undefined };
}

/** Makes a function that runs the calls of one step, or shares the result of an equal call (P-STP-3). */
function callRunner(turn: Turn, tools: readonly Tool[], calls: RunningCall[], later: TakesLater) {
  const running = new Map<string, RunningCall>();
  /** @param done the call with its result, which does not run again. Default: the call has none. */
  return (begun: Begun, done?: RunningCall): void => {
    const key = callKey(begun.call);
    const same = running.get(key);
    const first = () => start(turn, tools, begun, calls, later);
    const call = done ?? (same === undefined ? first() : share(turn, begun, same));
    if (same === undefined) running.set(key, call);
    calls.push(call);
  };
}

/** An answer of nothing, or of thoughts alone, is one that broke off (P-STP-4). */
function requireWords(content: readonly ContentPart[]): void {
  if (content.length === 0) throw new ModelError("empty", "the model's answer is empty");
  const thoughts = content.some(({ type }) => type === "think");
  const rest = content.some((part) =>
    part.type === "text" ? part.text.trim() !== "" : part.type !== "think",
  );
  if (thoughts && !rest) throw new ModelError("empty", "the model's answer has thoughts and no words");
}

/** The forms of calls in the text, each form once: several tools may share a form. */
export const inTextOf = (tools: readonly Tool[]): InText[] => [
  ...new Set(tools.flatMap(({ inText }) => (inText === undefined ? [] : [inText]))),
];

/** A call that may have more of its arguments to come. */
type Begun = Pick<RunningCall, "call" | "inText"> & { readonly nth: number };

/** Sends the clients a part and gathers it. Returns the call that the part begins, if any. */
function take(
  turn: Turn,
  part: ModelPart,
  { content, numbers }: StepProgress,
  status: { message_id?: string; usage?: TokenUsage },
): Begun | undefined {
  switch (part.type) {
    case "content":
      turn.emit("ContentPart", part.part);
      append(content, part.part);
      return undefined;
    case "tool_call":
      turn.emit("ToolCall", part.call);
      return {
        call: { ...part.call, function: { ...part.call.function } },
        inText: part.inText,
        nth: nextNumber(numbers, part.call.id),
      };
    case "written":
      append(content, { type: "text", text: part.text });
      return undefined;
    case "tool_call_part":
      turn.emit("ToolCallPart", { arguments_part: part.arguments_part });
      return undefined;
    case "message_id":
      status.message_id = part.id;
      return undefined;
    case "usage":
      status.usage = part.usage;
      return undefined;
  }
}

/** Counts the calls with one id: models repeat ids. */
function nextNumber(numbers: Map<string, number>, id: string): number {
  const nth = (numbers.get(id) ?? 0) + 1;
  numbers.set(id, nth);
  return nth;
}

/** Adds a part to what the model has said. */
export function append(content: ContentPart[], part: ContentPart): void {
  const last = content.at(-1);
  if (part.type === "text" && last?.type === "text") last.text += part.text;
  else if (part.type === "think" && last?.type === "think" && last.encrypted === null) {
    // A signed thought ends with its signature. The provider wants it back with the same words.
    last.think += part.think;
    last.encrypted = part.encrypted;
  } else content.push({ ...part });
}

/** More of the arguments of a call. */
export function extend(call: ToolCall, piece: string | null): void {
  if (piece !== null) call.function.arguments = (call.function.arguments ?? "") + piece;
}

function start(
  turn: Turn,
  tools: readonly Tool[],
  { call, inText, nth }: Begun,
  before: readonly RunningCall[],
  later: TakesLater,
): RunningCall {
  const { name } = call.function;
  const tool: Tool = tools.find((candidate) => candidate.name === name) ?? new MissingTool(name);
  const exclusive = tool.exclusive === true;
  const waitsFor = exclusive ? before : before.filter((other) => other.exclusive);
  const value = Promise.allSettled([nextInstant(), ...waitsFor.map((other) => other.value)]).then(() =>
    turn.callTool(tool, call, { announced: true, later, nth }),
  );
  return awaitedLater({ call, inText, value, exclusive, interrupted: tool.interrupted });
}

/** The next round of the event loop. A model that ends in the same instant as a call is told to have ended first. */
const nextInstant = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An equal call of the same step is not run again: its result is the first one's (P-STP-3). */
function share(turn: Turn, { call, inText }: Begun, first: RunningCall): RunningCall {
  const value = first.value.then((value) => told(turn, call, value));
  return awaitedLater({ call, inText, value, interrupted: first.interrupted });
}

function told(turn: Turn, call: ToolCall, value: ToolReturnValue): ToolReturnValue {
  turn.emit("ToolResult", { tool_call_id: call.id, return_value: value });
  return value;
}

/** The call is awaited with the others after the model's message, and may fail before. */
function awaitedLater(call: RunningCall): RunningCall {
  call.value.then(
    (value) => {
      call.result = value;
    },
    () => {},
  );
  return call;
}

/** The key that equal calls share: their name, and their arguments in any order of keys. */
function callKey({ function: { name, arguments: text } }: ToolCall): string {
  try {
    return JSON.stringify([name, sorted(JSON.parse(text ?? "{}"))]);
  } catch {
    return JSON.stringify([name, text]);
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}

function tellStatus(
  turn: Turn,
  model: Model,
  { message_id, usage }: { message_id?: string; usage?: TokenUsage },
): void {
  turn.emit("StatusUpdate", {
    ...(usage !== undefined && contextFigures(inputTokens(usage), model)),
    token_usage: usage === undefined ? null : { ...usage },
    message_id: message_id ?? null,
    plan_mode: turn.planMode,
  });
}

/** The input tokens of a model call. */
function inputTokens({ input_other, input_cache_read, input_cache_creation }: TokenUsage): number {
  return input_other + input_cache_read + input_cache_creation;
}

/** The total tokens of a model call: the context of the next call. */
export function totalTokens(usage: TokenUsage): number {
  return inputTokens(usage) + usage.output;
}
