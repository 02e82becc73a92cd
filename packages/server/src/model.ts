import type { ContentPart, ToolCall, ToolReturnValue, UserInput } from "@askwire/protocol";

/** One entry of a conversation, as models are given it. */
export type Message =
  | { role: "user"; content: UserInput }
  | { role: "assistant"; content: ContentPart[]; tool_calls: ToolCall[] }
  | { role: "tool"; tool_call_id: string; result: ToolReturnValue };

/** What a model is told of a tool. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

/** What streams out of one model call. */
export type ModelPart =
  | { type: "content"; part: ContentPart }
  | { type: "tool_call"; call: ToolCall }
  /** More of the arguments of the last call. */
  | { type: "tool_call_part"; arguments_part: string | null }
  | { type: "message_id"; id: string }
  | { type: "usage"; usage: TokenUsage };

export interface TokenUsage {
  input_other: number;
  output: number;
  input_cache_read: number;
  input_cache_creation: number;
}

export interface ModelRequest {
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly signal: AbortSignal;
}

/** A language model, one call at a time: our runtime runs the tools. */
export interface Model {
  readonly name: string;
  /** Tokens; default: unknown. */
  readonly maxContextTokens?: number;
  /** Streams one answer. Throws {@link ModelError} for what the provider did. */
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
}

/** A failure of a model's provider: a prompt is answered with `-32003` and this text. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly kind: "status" | "connection" | "timeout" | "script";
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;

  constructor(kind: ModelError["kind"], message: string, status?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}
