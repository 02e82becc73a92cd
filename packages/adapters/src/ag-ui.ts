// AG-UI, the protocol of CopilotKit: `@askwire/adapters/ag-ui`.
import { checkOptions, option } from "@askwire/protocol/internal";
import { allAnswered } from "./all-answered.js";
import { askByForm } from "./ask-by-form.js";
import type { AskingSession } from "./asking-session.js";
import { occasions } from "./occasions.js";
import { unheard } from "./unheard.js";

export type { AskingSession } from "./asking-session.js";

/** An interrupt of a run, of the members that are read. */
export interface AgUiInterrupt {
  readonly id: string;
  readonly reason: string;
  readonly message?: string | undefined;
  readonly responseSchema?: object | undefined;
  readonly expiresAt?: string | undefined;
}

/** The answer to an interrupt. */
export interface AgUiResume {
  interruptId: string;
  status: "resolved" | "cancelled";
  payload?: unknown;
}

/** The members of an `AbstractAgent`, such as an `HttpAgent`, that are used. */
export interface AgUiAgent<Result> {
  readonly threadId: string;
  readonly pendingInterrupts: readonly AgUiInterrupt[];
  runAgent(parameters: never): Promise<Result>;
}

/** The options of {@link driveAgUi}. */
export interface AgUiOptions<Result> {
  readonly agent: AgUiAgent<Result>;
  /** The parameters of every run, without `resume` and `runId`. Default: none. */
  readonly parameters?: object;
  /** Withdraws what is open when aborted; the interrupts stay pending. Default: none. */
  readonly signal?: AbortSignal;
}

/** An interrupt without a schema is answered in words. */
const words = { type: "string" };

/**
 * Runs an agent, puts its interrupts to people as forms of their `responseSchema`, and runs it again with all answers. What
 * nobody answered, and what has expired, is `cancelled`. An agent with pending interrupts, as after a restart, begins
 * with these.
 *
 * @returns the result of the last run, which has no interrupts.
 * @throws TypeError for options that do not fit, Unshowable for a form that cannot be shown as intended, the reason of an
 * aborted `signal`, what `runAgent` throws, LocalError and WireError as `session.ask`.
 */
export async function driveAgUi<Result>(
  session: AskingSession,
  options: AgUiOptions<Result>,
): Promise<Result> {
  checkOptions<AgUiOptions<Result>>("driveAgUi", options, {
    agent: option.required(option.having("an agent of AG-UI", "runAgent")),
    parameters: option.object,
    signal: option.signal,
  });
  const { agent, parameters = {}, signal } = options;
  const idsOf = occasions();
  const heard = unheard("driveAgUi");
  const resumed = async () => {
    const answers = await allAnswered(agent.pendingInterrupts, signal, (interrupt, stop) =>
      answerOf(session, interrupt, idsOf(agent.threadId, interrupt.id), stop),
    );
    heard(answers.map((reply) => (reply?.answered ? "answered" : (reply?.status ?? "expired"))));
    // One may have expired while people still answered another.
    const resume = agent.pendingInterrupts.map((interrupt, index): AgUiResume => {
      const reply = answers[index];
      if (reply?.answered !== true || isExpired(interrupt))
        return { interruptId: interrupt.id, status: "cancelled" };
      return { interruptId: interrupt.id, status: "resolved", payload: reply.values };
    });
    return agent.runAgent({ ...parameters, resume } as never);
  };
  let result = await (agent.pendingInterrupts.length > 0 ? resumed() : agent.runAgent(parameters as never));
  while (agent.pendingInterrupts.length > 0) result = await resumed();
  return result;
}

const expiryOf = ({ expiresAt }: AgUiInterrupt) => {
  const time = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt);
  return Number.isNaN(time) ? undefined : time;
};
const isExpired = (interrupt: AgUiInterrupt) =>
  (expiryOf(interrupt) ?? Number.POSITIVE_INFINITY) <= Date.now();

async function answerOf(
  session: AskingSession,
  interrupt: AgUiInterrupt,
  ids: string[],
  signal: AbortSignal,
) {
  if (isExpired(interrupt)) return undefined;
  const { reason, message = reason, responseSchema: schema = words } = interrupt;
  return askByForm(session, { message, schema, ids, signal, until: expiryOf(interrupt) });
}
