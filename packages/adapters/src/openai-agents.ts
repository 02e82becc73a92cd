// The Agents SDK of OpenAI: `@askwire/adapters/openai-agents`.
import type { QuestionInput } from "@askwire/protocol";
import { checkOptions, option } from "@askwire/protocol/internal";
import { allAnswered } from "./all-answered.js";
import { type ApproveCallOptions, approveCall, type CallToApprove, callRules } from "./approve-call.js";
import { askForCall, type NoReply, type QuestionsReply } from "./ask-questions.js";
import type { AskingSession } from "./asking-session.js";

export type { ApproveCallOptions, CallToApprove } from "./approve-call.js";
export type { NoReply, QuestionsReply } from "./ask-questions.js";
export type { AskingSession } from "./asking-session.js";

/** A call that waits for an approval, of the members of a `RunToolApprovalItem` that are read. */
export interface OpenAiInterruption {
  readonly name?: string | undefined;
  /** The arguments of the call as JSON text. */
  readonly arguments?: string | undefined;
  readonly rawItem: object;
}

/** The end of a run, of the members of a `RunResult` that are read. */
export interface OpenAiResult {
  readonly interruptions: readonly OpenAiInterruption[];
  readonly state: {
    approve(item: never): void;
    reject(item: never, options: { message: string }): void;
    toString(): string;
  };
}

/** The options of {@link driveOpenAi}. */
export interface OpenAiOptions<Result extends OpenAiResult> extends ApproveCallOptions {
  /** Runs the agent, such as `() => run(agent, "Deploy it")`, or with a kept state, in another process. */
  readonly start: () => Promise<Result>;
  /** Goes on with the state of the run, such as `(state) => run(agent, state)`. */
  readonly resume: (state: Result["state"]) => Promise<Result>;
  /**
   * The name of the run, which no other one has. With the id of a call it names the ask: the same call is asked once,
   * also after a restart.
   */
  readonly run: string;
  /** Keeps the state of the run, as text for `RunState.fromString`, before people are asked. Default: nothing is kept. */
  readonly save?: (state: string) => void | Promise<void>;
}

const run = option.required(option.text);

/**
 * Runs an agent, puts each call that needs an approval to people, and goes on with what they decided. A call that they
 * did not approve has the reason as its result, which the model reads.
 *
 * @returns the end of the run, without interruptions.
 * @throws TypeError for options that do not fit, the reason of an aborted `signal`, what `start`, `resume` and `save`
 * throw, and LocalError and WireError as `session.ask`.
 */
export async function driveOpenAi<Result extends OpenAiResult>(
  session: AskingSession,
  options: OpenAiOptions<Result>,
): Promise<Result> {
  checkOptions<OpenAiOptions<Result>>("driveOpenAi", options, {
    ...callRules,
    run,
    start: option.required(option.callable),
    resume: option.required(option.callable),
    save: option.callable,
  });
  const { start, resume, run: name, save, signal, ...how } = options;
  let result = await start();
  while (result.interruptions.length > 0) {
    const { interruptions, state } = result;
    const calls = interruptions.map(callOf);
    await save?.(state.toString());
    const decisions = await allAnswered(calls, signal, (call, stop) =>
      approveCall(session, [name, call.id], call, { ...how, signal: stop }),
    );
    interruptions.forEach((item, index) => {
      const { approved, words } = decisions[index] ?? { approved: false };
      if (approved) state.approve(item as never);
      else state.reject(item as never, { message: words?.message ?? "" });
    });
    result = await resume(state);
  }
  return result;
}

/** A call by its item. Calls of hosted tools have an `id` alone. */
function callOf({ name, arguments: text, rawItem }: OpenAiInterruption): CallToApprove {
  const { callId, id = callId, name: own = "tool" } = rawItem as Readonly<Record<string, string | undefined>>;
  const called = callId ?? id;
  if (called === undefined) throw new TypeError("driveOpenAi: an interruption has no id of its call");
  return { id: called, name: name ?? own, input: text === undefined ? rawItem : argumentsOf(text) };
}

function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The part of the details of a call that is read. */
export interface OpenAiToolDetails {
  readonly toolCall?: { readonly callId: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the `execute` of a tool with which a model asks people. Its result has the `answers`, or a `message` that says
 * why there are none: were it thrown, the SDK would tell the model to try again. Aborting the run withdraws the question.
 *
 * @throws TypeError for options that do not fit.
 */
export function openAiAsk(
  session: AskingSession,
  options: { readonly run: string; readonly signal?: AbortSignal },
) {
  checkOptions("openAiAsk", options, { run, signal: option.signal });
  const { run: name, signal: own } = options;
  return async (
    { questions }: { readonly questions: readonly QuestionInput[] },
    _context?: unknown,
    details: OpenAiToolDetails = {},
  ): Promise<QuestionsReply | NoReply> => {
    const { toolCall, signal } = details;
    const ids = toolCall === undefined ? undefined : [name, toolCall.callId];
    return askForCall(session, ids, questions, own, signal);
  };
}
