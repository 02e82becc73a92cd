// LangGraph: `@askwire/adapters/langgraph`.
import { checkOptions, option } from "@askwire/protocol/internal";
import { allAnswered } from "./all-answered.js";
import type { AskingSession } from "./asking-session.js";
import { occasions } from "./occasions.js";
import { askForProgram, type ProgramAsk, readProgramAsk } from "./program-ask.js";
import { unheard } from "./unheard.js";

export type { FormReply } from "./ask-by-form.js";
export type { NoReply, QuestionsReply } from "./ask-questions.js";
export type { AskingSession } from "./asking-session.js";
export type { DecisionReply, ProgramAsk, ProgramReply } from "./program-ask.js";

/** An open interrupt of a graph. */
interface OpenInterrupt {
  readonly id?: string | undefined;
  readonly value?: unknown;
}

/** The members of a compiled graph that are called. */
export interface LangGraph<Output> {
  invoke(input: never, config: never): Promise<Output>;
  getState(config: never): Promise<{
    readonly values: unknown;
    readonly tasks: readonly { readonly interrupts: readonly OpenInterrupt[] }[];
  }>;
}

/** The options of {@link driveLangGraph}. */
export interface LangGraphOptions<Output> {
  /** A compiled graph with a checkpointer. */
  readonly graph: LangGraph<Output>;
  /** `Command` of `@langchain/langgraph`. */
  readonly Command: new (given: {
    resume: Record<string, unknown>;
  }) => unknown;
  /** The input of a new run. Default: none; the thread goes on with the interrupts that are open, as after a restart. */
  readonly input?: unknown;
  /** The config of the graph. Its `thread_id`, with the id of an interrupt, names an ask: each is asked once. */
  readonly config: { readonly configurable: { readonly thread_id: string } };
  /** Makes asks of the values of other interrupts than those of a {@link ProgramAsk}. Default: they are refused. */
  readonly asks?: (value: unknown) => ProgramAsk;
  /** Withdraws what is open when aborted; the interrupts stay open in the graph. Default: none. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a graph, puts the values of its interrupts to people, and resumes each with its own reply: `interrupt(ask)` returns a
 * {@link ProgramReply}. An ask without an answer resumes too, with `answered: false` and words that say why.
 *
 * @returns the output of the graph once no interrupt is open.
 * @throws TypeError for options and values that do not fit; Error for an `input` while interrupts are open; the reason of
 * an aborted `signal`; what the graph throws; LocalError and WireError as `session.ask`.
 */
export async function driveLangGraph<Output>(
  session: AskingSession,
  options: LangGraphOptions<Output>,
): Promise<Output> {
  checkOptions<LangGraphOptions<Output>>("driveLangGraph", options, {
    graph: option.required(option.having("a compiled graph", "invoke", "getState")),
    Command: option.required(option.callable),
    input: option.any,
    config: option.required(option.object),
    asks: option.callable,
    signal: option.signal,
  });
  const { graph, Command, input, config, asks = (value) => value, signal } = options;
  const thread = config.configurable?.thread_id;
  if (typeof thread !== "string") throw new TypeError("driveLangGraph: config: expected a `thread_id`");
  const openNow = async () => {
    const { tasks } = await graph.getState(config as never);
    return tasks
      .flatMap(({ interrupts }) => interrupts)
      .map(({ id, value }) => {
        if (id === undefined) throw new TypeError("driveLangGraph: an interrupt has no id");
        return { id, ask: readProgramAsk("driveLangGraph: the value of an interrupt", asks(value)) };
      });
  };
  const idsOf = occasions();
  const heard = unheard("driveLangGraph");
  let open = await openNow();
  if (open.length > 0 && input !== undefined) {
    throw new Error(
      `driveLangGraph: the thread ${JSON.stringify(thread)} waits for answers, which a new input would drop; leave \`input\` out to go on, or take another thread`,
    );
  }
  let output: Output | undefined;
  if (open.length === 0) {
    output = await graph.invoke((input ?? null) as never, config as never);
    open = await openNow();
  }
  while (open.length > 0) {
    const replies = await allAnswered(open, signal, async ({ id, ask }, stop) => {
      return [id, await askForProgram(session, ask, idsOf(thread, id), stop)] as const;
    });
    heard(replies.map(([, reply]) => (reply.answered ? "answered" : reply.status)));
    // By id: a plain `resume` value would answer every open interrupt.
    const resume = Object.fromEntries(replies);
    output = await graph.invoke(new Command({ resume }) as never, config as never);
    open = await openNow();
  }
  return output as Output;
}
