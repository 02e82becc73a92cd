import {
  type ContentPart,
  type ToolCall,
  type ToolReturnValue,
  type UserInput,
  WireError,
} from "@askwire/protocol";

/** An entry of a conversation, as given to a model. */
export type Message =
  /** `kept` survives compaction word for word: a result that came later than its call (P-XBG-4). */
  | { role: "user"; content: UserInput; kept?: boolean | undefined }
  | { role: "assistant"; content: ContentPart[]; tool_calls: ToolCall[] }
  | { role: "tool"; tool_call_id: string; result: ToolReturnValue };

/** The description of a tool for a model. */
export interface ToolSpec {
  /** The name of the tool. */
  readonly name: string;
  /** The purpose of the tool. */
  readonly description: string;
  /** The JSON Schema of its arguments, an object's. */
  readonly parameters: Record<string, unknown>;
}

/** A part of a model's streamed answer. */
export type ModelPart =
  | { type: "content"; part: ContentPart }
  /** A call. `inText` is set for a call in the text, whose result goes back as the person's words. */
  | { type: "tool_call"; call: ToolCall; inText?: InText }
  /** The text of written calls, which goes back to the model and not to clients. */
  | { type: "written"; text: string }
  /** More of the arguments of the last call. */
  | { type: "tool_call_part"; arguments_part: string | null }
  /** The provider's own id of the answer. */
  | { type: "message_id"; id: string }
  | { type: "usage"; usage: TokenUsage };

/** The tokens of a model call. The four figures add up to the total. */
export interface TokenUsage {
  /** Input that the provider's cache had no part in. */
  input_other: number;
  /** The tokens that the model wrote, thoughts included. */
  output: number;
  /** Input that was read from the cache. */
  input_cache_read: number;
  /** Input that was written to the cache. */
  input_cache_creation: number;
}

/**
 * The form of tool calls in a model's text, for a tool that is not the provider's (P-DIA-6). The calls run as all
 * others do. The model reads their results as the person's words.
 */
export interface InText {
  /** Passes on the model's parts. Adds a call for each written call, and `written` for its text. */
  read(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart>;
  /** The result of a call, for the model. */
  result(call: ToolCall, value: ToolReturnValue): ContentPart[];
}

/** A call of a model. */
export interface ModelRequest {
  /** The instructions. Default: none. */
  readonly system?: string;
  /** The conversation, oldest first. */
  readonly messages: readonly Message[];
  /** The tools that the model may call; may be empty. */
  readonly tools: readonly ToolSpec[];
  /** Aborted when nobody waits for the answer. */
  readonly signal: AbortSignal;
}

/** The part of a request that is not the conversation. */
export type ModelGiven = Pick<ModelRequest, "system" | "tools">;

/** A kind of content part that not every model takes. */
export type ModelInput = "image_url" | "audio_url" | "video_url";

/** A language model, called once for each step. Our runtime runs the tools. */
export interface Model {
  /** The name in messages. */
  readonly name: string;
  /** The size of the model's context, in tokens. Default: unknown, so that compaction never starts by itself. */
  readonly maxContextTokens?: number;
  /** The inputs that the model takes besides text. Other inputs are answered with `-32002`. Default: everything. */
  readonly inputs?: readonly ModelInput[];
  /** True if the provider's login can expire: an HTTP status 401 is then `-32004`. Default: false. */
  readonly login?: boolean;
  /** Streams an answer. Throws {@link ModelError} for a failure of the provider. */
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
}

/** Each way in which a provider fails, with whether the same request may pass a moment later. */
const mayPass = {
  /** The provider answered with an error: an HTTP status, or an error in its stream. */
  status: (status: number | undefined) =>
    status === undefined || PASSING_STATUS.includes(status) || status >= 500,
  /** The provider was not reached, was lost in the middle of its answer, or sent an unreadable answer. */
  connection: () => true,
  timeout: () => true,
  /** The answer was empty. */
  empty: () => true,
  /** The request cannot be sent to the provider, or the provider refuses to answer it. */
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
  /** The pause that the provider asked for, in milliseconds; undefined if it asked for none. */
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

/** True if the same request to a model may pass a moment later. Wait `retryAfterMs` before, if set. */
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

/** The word of Wire 1.10 for a provider's failure, also after its conversion to an error of the wire. */
export function providerErrorType(error: unknown): string | undefined {
  const failed = error instanceof WireError ? error.cause : error;
  return failed instanceof ModelError ? providerErrorTypes[failed.kind] : undefined;
}
