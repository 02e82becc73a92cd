import { type ContentPart, type ToolCall, type ToolReturnValue, WireError } from "@askwire/protocol";
import type { Agent } from "./agent.js";
import { type Message, type Model, ModelError, type ModelPart, type TokenUsage } from "./model.js";
import { type Tool, unknownTool } from "./tool.js";
import type { Turn } from "./turn.js";

export interface ModelAgentOptions {
  /** Undefined: every prompt is answered with `-32001`. */
  readonly model: Model | undefined;
  /** Default: none. */
  readonly tools?: readonly Tool[];
  readonly system?: string;
}

/**
 * An agent that runs a model in steps: the model speaks and calls tools, the tools run, their results go back,
 * until it calls none. Holds one conversation, so make one for each session.
 */
export function modelAgent(options: ModelAgentOptions): Agent {
  const { model, tools = [], system } = options;
  const messages: Message[] = [];

  return {
    async run(turn) {
      if (model === undefined) throw new WireError("ModelNotSet", "LLM is not set");
      messages.push({ role: "user", content: turn.input });
      for (;;) {
        turn.step();
        const step = await runStep(turn, model, tools, {
          messages,
          ...(system === undefined ? {} : { system }),
        });
        messages.push(...step);
        if (step.length === 1 || turn.rejected) return;
      }
    },
  };
}

/** A call that runs while the model still speaks. */
interface RunningCall {
  readonly call: ToolCall;
  result: ToolReturnValue | undefined;
  readonly done: Promise<void>;
}

/** Runs one step and returns what it adds to the conversation: the model's message, then a result for each call. */
async function runStep(
  turn: Turn,
  model: Model,
  tools: readonly Tool[],
  context: { messages: readonly Message[]; system?: string },
): Promise<Message[]> {
  const offered = tools.filter((tool) => tool.offered?.(turn.offer) ?? true);
  const content: ContentPart[] = [];
  const running: RunningCall[] = [];
  const status: { message_id?: string; usage?: TokenUsage } = {};
  let pending: ToolCall | undefined;
  let parts = 0;

  /** A call is complete, and starts, once something else than more of its arguments comes. */
  function startPending(): void {
    if (pending === undefined) return;
    running.push(start(turn, tools, pending));
    pending = undefined;
  }

  try {
    const stream = model.stream({ ...context, tools: offered, signal: turn.signal });
    for await (const part of stream) {
      if (part.type !== "tool_call_part") startPending();
      pending = take(turn, part, content, status) ?? pending;
      if (part.type === "tool_call_part" && pending !== undefined) extend(pending, part.arguments_part);
      parts += 1;
      if (parts % 64 === 0) await turn.drained();
    }
    startPending();
    tellStatus(turn, model, status);
    await Promise.all(running.map((call) => call.done));
  } catch (error) {
    throw error instanceof ModelError
      ? new WireError("ProviderError", error.message, { cause: error })
      : error;
  }
  return [
    { role: "assistant", content, tool_calls: running.map(({ call }) => call) },
    ...running.map(
      ({ call, result }): Message => ({
        role: "tool",
        tool_call_id: call.id,
        result: result ?? unknownTool(call.function.name),
      }),
    ),
  ];
}

/** Tells the clients of a part and gathers it; returns the call that it begins, if it does. */
function take(
  turn: Turn,
  part: ModelPart,
  content: ContentPart[],
  status: { message_id?: string; usage?: TokenUsage },
): ToolCall | undefined {
  switch (part.type) {
    case "content":
      turn.emit("ContentPart", part.part);
      append(content, part.part);
      return undefined;
    case "tool_call":
      turn.emit("ToolCall", part.call);
      return { ...part.call, function: { ...part.call.function } };
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

function append(content: ContentPart[], part: ContentPart): void {
  const last = content.at(-1);
  if (part.type === "text" && last?.type === "text") last.text += part.text;
  else if (part.type === "think" && last?.type === "think") last.think += part.think;
  else content.push({ ...part });
}

function extend(call: ToolCall, piece: string | null): void {
  if (piece !== null) call.function.arguments = (call.function.arguments ?? "") + piece;
}

function start(turn: Turn, tools: readonly Tool[], call: ToolCall): RunningCall {
  const tool = tools.find((candidate) => candidate.name === call.function.name);
  const finish = async () => {
    if (tool !== undefined) return await turn.callTool(tool, call, { announced: true });
    const value = unknownTool(call.function.name);
    turn.emit("ToolResult", { tool_call_id: call.id, return_value: value });
    return value;
  };
  const running: RunningCall = {
    call,
    result: undefined,
    done: finish().then((value) => {
      running.result = value;
    }),
  };
  // Awaited with the others once the model has spoken; it may fail before that.
  running.done.catch(() => {});
  return running;
}

function tellStatus(
  turn: Turn,
  model: Model,
  { message_id, usage }: { message_id?: string; usage?: TokenUsage },
): void {
  const tokens =
    usage === undefined
      ? null
      : usage.input_other + usage.input_cache_read + usage.input_cache_creation + usage.output;
  const max = model.maxContextTokens ?? null;
  turn.emit("StatusUpdate", {
    context_usage: tokens === null || max === null ? null : tokens / max,
    context_tokens: tokens,
    max_context_tokens: max,
    token_usage: usage === undefined ? null : { ...usage },
    message_id: message_id ?? null,
  });
}
