import {
  type ApprovalReply,
  type ApprovalView,
  type DeclinedReply,
  NotShown,
  type QuestionReply,
  type QuestionView,
  type RequestContext,
  RequestSettled,
} from "@askwire/client";
import {
  type AnswerItem,
  type ApprovalKind,
  type HeardDeadline,
  type HeardOutcome,
  type Outcome,
  outcomeInOwnWords,
  type QuestionInput,
} from "@askwire/protocol";
import { BoundedSet, defined } from "@askwire/protocol/internal";
import {
  type AgentSession,
  type AnyInteraction,
  ApprovalRequest,
  QuestionRequest,
  type RequestOrigin,
  type Settlement,
} from "@askwire/server";
import { editOfMessage } from "@askwire/server/internal";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const REMEMBERED = 1_000;

/** The open requests of the agent, by its ids, each with the request that our clients see. */
export class RelayedRequests {
  readonly #session: AgentSession;
  readonly #open = new Map<string, QuestionRequest | ApprovalRequest>();
  /** The ids that requests of ours have had, which an agent may repeat: the last {@link REMEMBERED}. */
  readonly #used = new BoundedSet<string>(REMEMBERED);

  constructor(session: AgentSession) {
    this.#session = session;
  }

  /** Puts a question of the agent to the people of the session, and resolves with their answer. */
  async question(view: QuestionView, context: RequestContext): Promise<QuestionReply> {
    const { tool_call_id, questions, deadline, background } = view;
    const request = new QuestionRequest({
      ...this.#idLike(view.id),
      tool_call_id,
      questions: questions as QuestionInput[],
      ...(deadline !== undefined && {
        deadline: { ms: Math.max(1, deadline.remaining_ms), on_expiry: expiryOf(deadline) },
      }),
      ...defined({ background }),
      onTouched: () => context.touch(),
    });
    request.origin = originOf(view.agent);
    const { outcome, answer } = await this.#put(view.id, request, context);
    if (outcome.status === "declined") return declined(outcome);
    // The agent's own clock decides about the defaults of an expired question.
    if (answer === undefined || outcome.status !== "answered") return await notAnswered(outcome, context);
    const { degraded } = outcome;
    return { items: answer.items, relayed: { degraded, answers: answer.answers } };
  }

  /** Puts an approval of the agent to the people of the session, and resolves with their answer. */
  async approval(view: ApprovalView, context: RequestContext): Promise<ApprovalReply | DeclinedReply> {
    const { tool_call_id, sender, action, description, display, options, edit } = view;
    const request = new ApprovalRequest({
      ...this.#idLike(view.id),
      tool_call_id,
      sender,
      action,
      description,
      display,
      options,
      for_session: options?.find(({ for_session }) => for_session === true)?.id,
      edit: edit && editOfMessage(edit),
      person_only: view.person_only === true,
      relayed: true,
      onTouched: () => context.touch(),
    });
    const { agent_id, subagent_type, source_description } = view;
    if (agent_id !== null && subagent_type !== null) {
      const description = source_description === null ? {} : { description: source_description };
      request.origin = { agent_id, subagent_type, ...description };
    }
    const { outcome, answer } = await this.#put(view.id, request, context);
    if (outcome.status === "declined") return declined(outcome);
    if (answer === undefined) return await notAnswered(outcome, context);
    const { response, feedback, option, edited } = answer;
    const { degraded } = outcome;
    const rest = { feedback, ...defined({ edited }), relayed: { degraded } };
    // A way to reject that was added here is not the agent's.
    const isTheirs = option !== undefined && options?.some(({ id }) => id === option) === true;
    return isTheirs ? { option, ...rest } : { response, ...rest };
  }

  /** The agent's id for our request too, so that both records name it; another one for an id that was used. */
  #idLike(id: string): { id?: string } {
    if (!UUID.test(id) || this.#used.has(id)) return {};
    this.#used.add(id);
    return { id };
  }

  /** Settles the request that the agent has settled by itself, as it did. */
  settled(id: string, heard: HeardOutcome | undefined, response: unknown): void {
    const request = this.#open.get(id);
    if (request === undefined || request.resolved) return;
    const outcome = heard === undefined ? withdrawn() : outcomeInOwnWords(heard);
    if (outcome.status !== "answered") return void request.settle({ outcome });
    const answer = answerIn(request, response);
    request.settle(answer === undefined ? { outcome: withdrawn() } : { outcome, answer: answer as never });
  }

  async #put<R extends QuestionRequest | ApprovalRequest>(
    id: string,
    request: R,
    { signal }: RequestContext,
  ): Promise<R extends Interaction<infer A> ? Settlement<A> : never> {
    this.#open.set(id, request);
    // The event that reports the settlement follows, with the answer in it.
    const gone = () => setImmediate(() => request.settle({ outcome: outcomeOf(signal.reason) }));
    signal.addEventListener("abort", gone);
    try {
      this.#session.open(request as AnyInteraction);
      return (await request.ended()) as never;
    } finally {
      signal.removeEventListener("abort", gone);
      if (this.#open.get(id) === request) this.#open.delete(id);
    }
  }
}

/** The sub-agent that asks. */
function originOf(agent: QuestionView["agent"]): RequestOrigin | undefined {
  if (agent === undefined) return undefined;
  const { id: agent_id, type: subagent_type, parent_tool_call_id } = agent;
  return { agent_id, subagent_type, ...(parent_tool_call_id !== null && { parent_tool_call_id }) };
}

type Interaction<A> = { ended(): Promise<Settlement<A>> };

const withdrawn = (): Outcome => ({
  status: "withdrawn",
  reason: "agent",
  by: "system",
  at: new Date().toISOString(),
});

function outcomeOf(reason: unknown): Outcome {
  const heard = reason instanceof RequestSettled ? reason.outcome : undefined;
  return heard === undefined || heard.status === "answered" ? withdrawn() : outcomeInOwnWords(heard);
}

/** A newer agent's own word gives our clients no defaults to promise: its clock decides. */
const expiryOf = ({ on_expiry }: HeardDeadline) => (on_expiry === "default" ? "default" : "cancel");

const declined = ({ reason, note }: Outcome & { status: "declined" }) => ({
  declined: reason,
  ...defined({ note }),
});

/** The answer that the agent reports; undefined where the words do not fit the request. */
function answerIn(request: QuestionRequest | ApprovalRequest, response: unknown): unknown {
  const {
    items,
    option,
    response: kind,
    feedback = "",
    edited,
  } = Object(response) as {
    items?: AnswerItem[];
    option?: string;
    response?: ApprovalKind;
    feedback?: string;
    edited?: string;
  };
  try {
    if (request.kind === "question") return items && request.answerOf(items);
    if (option !== undefined) return request.answerBy(request.option(option), feedback, edited);
    return kind && request.answerInWords(kind, feedback, edited);
  } catch {
    return undefined;
  }
}

/**
 * Ends a request that no person has answered: the agent settles what it withdraws itself, and is told of the rest.
 *
 * @throws NotShown for the agent to be told that nobody was asked.
 */
async function notAnswered(outcome: Outcome, { signal }: RequestContext): Promise<never> {
  if (outcome.status !== "unavailable" || outcome.reason === "do_not_ask")
    await settledThere(outcome, signal);
  const { reason = outcome.status, note } = outcome;
  // The client that failed has said why.
  if (reason === "protocol_error") throw new Error(note ?? reason);
  throw new NotShown(note ?? `nobody answered: ${reason}`, reason === "limit" ? "limit" : "unsupported");
}

/** The time after which the agent is told of a passed deadline, in milliseconds: by then its own clock has said so. */
const EXPIRED_MS = 5_000;

/** Resolves once the agent has settled the request itself. An expired one is waited for as long as clocks may differ. */
function settledThere({ status }: Outcome, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = status === "expired" ? setTimeout(resolve, EXPIRED_MS) : undefined;
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
