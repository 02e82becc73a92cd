// Mastra: `@askwire/adapters/mastra`.
import { checkOptions, defined, option } from "@askwire/protocol/internal";
import { type ApproveCallOptions, approveCall, callRules } from "./approve-call.js";
import { askByForm } from "./ask-by-form.js";
import type { AskingSession } from "./asking-session.js";
import { occasions } from "./occasions.js";
import { unheard } from "./unheard.js";

export type { ApproveCallOptions, CallToApprove } from "./approve-call.js";
export type { AskingSession } from "./asking-session.js";

/** The stream of a run, of the members of a `MastraModelOutput` that are read. */
export interface MastraStream {
  readonly runId: string;
  readonly fullStream: AsyncIterable<unknown>;
}

/** The members of an `Agent` that are called. */
export interface MastraAgent<Stream extends MastraStream> {
  stream(input: never, options?: never): Promise<Stream>;
  approveToolCall(options: never): Promise<unknown>;
  declineToolCall(options: never): Promise<unknown>;
  resumeStream(data: unknown, options: never): Promise<unknown>;
}

/** A run that waits, as `agent.listSuspendedRuns()` tells it. */
export interface MastraSuspendedRun {
  readonly runId: string;
  readonly toolCalls: readonly {
    readonly toolCallId?: string;
    readonly toolName?: string;
    readonly args?: unknown;
    readonly requiresApproval: boolean;
    readonly suspendPayload?: unknown;
  }[];
}

/** The options of {@link driveMastra}. */
export interface MastraOptions<Stream extends MastraStream> extends ApproveCallOptions {
  readonly agent: MastraAgent<Stream>;
  /** The input of a new run. */
  readonly input?: unknown;
  /** A run to go on with in the place of an input, as after a restart. */
  readonly suspended?: MastraSuspendedRun;
  /** The options of `agent.stream`, also when the run goes on. Default: none. */
  readonly options?: object;
  /** Hears every chunk of every stream. Default: nothing. */
  readonly onChunk?: (chunk: unknown) => void;
  /** The question of a tool that is suspended. Default: the `message` or the `question` of its payload, or its text. */
  readonly message?: (payload: unknown, tool: string) => string;
  /** The JSON Schema of a tool's resume data, which a run of `suspended` does not tell. Default: as the stream tells it. */
  readonly schema?: (tool: string) => object;
  /**
   * Makes the resume data of a question without an answer, which fit the schema of the tool.
   * Default: driving ends with an error, and the run stays suspended.
   *
   * @param message why there is no answer, in words for a model.
   */
  readonly refusal?: (message: string, tool: string) => unknown;
}

/** A call for which a run waits. */
interface WaitingCall {
  readonly runId: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly needsApproval: boolean;
  readonly payload: unknown;
  /** The schema as JSON text. */
  readonly schema: unknown;
}

/**
 * Runs an agent, puts the calls that need an approval and the questions of suspended tools to people, and goes on with
 * what they said, one after the other, as Mastra wants it. A question is a form of the `resumeSchema` of its tool.
 *
 * @returns the last stream of the run, which has been read.
 * @throws TypeError for options that do not fit, Unshowable for a schema that cannot be shown as intended, Error for a
 * question without an answer where there is no `refusal`, the reason of an aborted `signal`, what the agent throws,
 * LocalError and WireError as `session.ask`.
 */
export async function driveMastra<Stream extends MastraStream>(
  session: AskingSession,
  options: MastraOptions<Stream>,
): Promise<Stream> {
  checkOptions<MastraOptions<Stream>>("driveMastra", options, {
    ...callRules,
    agent: option.required(option.having("an agent of Mastra", "stream", "resumeStream", "approveToolCall")),
    input: option.any,
    suspended: option.object,
    options: option.object,
    onChunk: option.callable,
    message: option.callable,
    schema: option.callable,
    refusal: option.callable,
  });
  const { agent, input, suspended, options: ofStream = {} } = options;
  if ((input === undefined) === (suspended === undefined))
    throw new TypeError("driveMastra: expected either `input` or `suspended`");
  const idsOf = occasions();
  const heard = unheard("driveMastra");
  const next = (waiting: WaitingCall) => goOn(session, waiting, options, { idsOf, heard });
  let stream =
    suspended === undefined
      ? await agent.stream(input as never, ofStream as never)
      : await next(waitingIn(suspended));
  for (;;) {
    const waiting = await readStream(stream, options.onChunk);
    if (waiting === undefined) return stream;
    stream = await next(waiting);
  }
}

/** The memory of a run: the ids that have come, and the rounds that nobody answered. */
interface Run {
  readonly idsOf: ReturnType<typeof occasions>;
  readonly heard: ReturnType<typeof unheard>;
}

/** Reads a stream to its end. @returns the first call for which its run then waits: only that can go on. */
async function readStream(
  { runId, fullStream }: MastraStream,
  onChunk: ((chunk: unknown) => void) | undefined,
): Promise<WaitingCall | undefined> {
  let waiting: WaitingCall | undefined;
  for await (const chunk of fullStream) {
    onChunk?.(chunk);
    const { type, payload: told } = chunk as {
      readonly type?: unknown;
      readonly payload?: Record<string, unknown>;
    };
    if (type !== "tool-call-approval" && type !== "tool-call-suspended") continue;
    waiting ??= {
      ...{ runId, toolCallId: String(told?.toolCallId), tool: String(told?.toolName) },
      ...{ input: told?.args, payload: told?.suspendPayload, schema: told?.resumeSchema },
      needsApproval: type === "tool-call-approval",
    };
  }
  return waiting;
}

function waitingIn({ runId, toolCalls: [call] }: MastraSuspendedRun): WaitingCall {
  if (call?.toolCallId === undefined)
    throw new TypeError("driveMastra: suspended: expected a run with a tool call");
  const {
    toolCallId,
    toolName: tool = "tool",
    args: input,
    requiresApproval,
    suspendPayload: payload,
  } = call;
  return { runId, toolCallId, tool, input, needsApproval: requiresApproval, payload, schema: undefined };
}

/** Puts what a run waits for to people, and goes on. */
async function goOn<Stream extends MastraStream>(
  session: AskingSession,
  waiting: WaitingCall,
  options: MastraOptions<Stream>,
  { idsOf, heard }: Run,
): Promise<Stream> {
  const { runId, toolCallId, tool, input, needsApproval } = waiting;
  const { agent, approval, signal } = options;
  const place = { ...options.options, runId, toolCallId };
  signal?.throwIfAborted();
  if (!needsApproval) {
    const data = await resumeDataOf(session, waiting, options, { idsOf, heard });
    signal?.throwIfAborted();
    return (await agent.resumeStream(data, place as never)) as Stream;
  }
  const call = { id: toolCallId, name: tool, input };
  const decision = await approveCall(session, idsOf(runId, toolCallId), call, defined({ approval, signal }));
  signal?.throwIfAborted();
  heard([decision.outcome.status]);
  if (decision.approved) return (await agent.approveToolCall(place as never)) as Stream;
  return (await agent.declineToolCall({ ...place, reason: decision.words?.message } as never)) as Stream;
}

async function resumeDataOf<Stream extends MastraStream>(
  session: AskingSession,
  { runId, toolCallId, tool, payload, schema: told }: WaitingCall,
  { message: said = messageOf, schema: known, refusal, signal }: MastraOptions<Stream>,
  { idsOf, heard }: Run,
): Promise<unknown> {
  const message = said(payload, tool);
  const schema = known?.(tool) ?? (typeof told === "string" ? JSON.parse(told) : told);
  const reply = await askByForm(session, {
    // A call may ask several questions, of which none has an id.
    ids: idsOf(runId, toolCallId, message, JSON.stringify(schema)),
    ...{ message, schema, signal: signal ?? new AbortController().signal },
  });
  heard([reply.answered ? "answered" : reply.status]);
  if (reply.answered) return reply.values;
  signal?.throwIfAborted();
  if (refusal !== undefined) return refusal(reply.message, tool);
  throw new Error(
    `driveMastra: the run ${runId} stays suspended. ${reply.message} Give \`refusal\` to go on with data for that`,
  );
}

function messageOf(payload: unknown, tool: string): string {
  if (typeof payload === "string") return payload;
  const { message, question } = Object(payload) as {
    readonly message?: unknown;
    readonly question?: unknown;
  };
  const found = [message, question].find((text): text is string => typeof text === "string" && text !== "");
  if (found !== undefined) return found;
  throw new TypeError(
    `driveMastra: the tool ${tool} is suspended without a \`message\`; give \`message\` to make one`,
  );
}
