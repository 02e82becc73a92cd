import {
  type ContentPart,
  type ToolCall,
  type ToolReturnValue,
  type UserInput,
  WireError,
} from "@askwire/protocol";

/** One entry of a conversation, as models are given it. */
export type Message =
  | { role: "user"; content: UserInput }
  | { role: "assistant"; content: ContentPart[]; tool_calls: ToolCall[] }
  | { role: "tool"; tool_call_id: string; result: ToolReturnValue };

/** What a model is told of a tool. */
export interface ToolSpec {
  /** What it is called by. */
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /** The JSON Schema of its arguments, an object's. */
  readonly parameters: Record<string, unknown>;
}

/** What streams out of one model call. */
export type ModelPart =
  | { type: "content"; part: ContentPart }
  /** `inText`: it was written in the text, so its result goes back as something that the person said. */
  | { type: "tool_call"; call: ToolCall; inText?: InText }
  /** Text in which calls were written: it goes back to the model, and clients are not told of it. */
  | { type: "written"; text: string }
  /** More of the arguments of the last call. */
  | { type: "tool_call_part"; arguments_part: string | null }
  /** The provider's own id of the answer. */
  | { type: "message_id"; id: string }
  | { type: "usage"; usage: TokenUsage };

/** What one model call took, in tokens. The four add up to all of it. */
export interface TokenUsage {
  /** Input that the provider's cache had no part in. */
  input_other: number;
  /** What the model wrote, thoughts included. */
  output: number;
  /** Input that was read from the cache. */
  input_cache_read: number;
  /** Input that was written to the cache. */
  input_cache_creation: number;
}

/**
 * How a model writes calls of a tool in its text, where the tool is none of the provider's: such calls run as all others
 * do, and the model reads their results as something that the person said (P-DIA-6).
 */
export interface InText {
  /** What streams out of the model, with a call where one was written and `written` for the text of it. */
  read(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart>;
  /** What the model reads of a call's result. */
  result(call: ToolCall, value: ToolReturnValue): ContentPart[];
}

/** One call of a model. */
export interface ModelRequest {
  /** The instructions. Default: none. */
  readonly system?: string;
  /** The conversation, oldest first. */
  readonly messages: readonly Message[];
  /** What it may call; may be empty. */
  readonly tools: readonly ToolSpec[];
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** A kind of content part that not every model takes. */
export type ModelInput = "image_url" | "audio_url" | "video_url";

/** A language model, one call at a time: our runtime runs the tools. */
export interface Model {
  /** What messages call it by. */
  readonly name: string;
  /** How much a conversation may hold, in tokens. Default: unknown, so it is never compacted by itself. */
  readonly maxContextTokens?: number;
  /** What it takes beside text; a prompt with more is answered with `-32002`. Default: everything. */
  readonly inputs?: readonly ModelInput[];
  /** Whether its provider wants a login that ends: an HTTP status 401 is then `-32004`. Default: false. */
  readonly login?: boolean;
  /** Streams one answer. Throws {@link ModelError} for what the provider did. */
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
}

/** Each way in which a provider fails, with whether the same request may pass a moment later. */
const mayPass = {
  /** It answered with an error: with an HTTP status, or in its stream, perhaps without one. */
  status: (status: number | undefined) =>
    status === undefined || PASSING_STATUS.includes(status) || status >= 500,
  /** It was not reached, was lost in the middle of its answer, or sent what is not understood. */
  connection: () => true,
  timeout: () => true,
  /** It said nothing. */
  empty: () => true,
  /** What is asked cannot be sent to it, or it does not want to answer it. */
  request: () => false,
  /** The script of a scripted model is wrong. */
  script: () => false,
} satisfies Record<string, (status: number | undefined) => boolean>;
/** In which way a provider failed. */
export type ModelErrorKind = keyof typeof mayPass;

/** Below 500, the statuses of a server that is busy: request timeout, conflict, too many requests. */
const PASSING_STATUS = [408, 409, 429];

/** A failure of a model's provider: a prompt is answered with `-32003` and this text. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** In which way. */
  readonly kind: ModelErrorKind;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;
  /** How long the provider wants to be left alone, in milliseconds, where it said so. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ModelErrorKind,
    message: string,
    status?: number,
    { retryAfterMs, cause }: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether the same request to a model may pass a moment later. Wait `retryAfterMs` before, if it is there. */
export function retryable(error: unknown): error is ModelError {
  return error instanceof ModelError && mayPass[error.kind](error.status);
}

/** The words of Wire 1.10 for each way in which a provider fails. */
export const providerErrorTypes = {
  status: "APIStatusError",
  connection: "APIConnectionError",
  timeout: "APITimeoutError",
  empty: "APIEmptyResponseError",
  request: "ChatProviderError",
  script: "ChatProviderError",
} as const satisfies Record<ModelErrorKind, string>;

/** The word of Wire 1.10 for what went wrong with a provider, also where it is told as an error of the wire. */
export function providerErrorType(error: unknown): string | undefined {
  const failed = error instanceof WireError ? error.cause : error;
  return failed instanceof ModelError ? providerErrorTypes[failed.kind] : undefined;
}
