import type { ClientSession, SessionStatus } from "@askwire/client";
import {
  type HeardIntroduction,
  type HeardPromptResult,
  LocalError,
  type Unrecognized,
  WireError,
  type WireEvent,
} from "@askwire/protocol";
import { checkOptions, type OptionRules, option, randomId } from "@askwire/protocol/internal";
import type {
  Agent,
  AgentFactory,
  AgentSession,
  PastMessage,
  RefusedTool,
  SlashCommand,
  Turn,
  TurnEnding,
} from "@askwire/server";
import { executableOf } from "../process/executable-of.js";
import { offersKey, offersOf } from "./offers.js";
import { passOn } from "./pass-on.js";
import { pastOf } from "./past.js";
import { RelayedRequests } from "./relayed-requests.js";
import { startUpstream, type UpstreamAgent, type UpstreamStart } from "./upstream-agent.js";

/** The options of {@link wireAgent}. */
export interface WireAgentOptions extends Omit<UpstreamStart, "command"> {
  /** The time for the agent to end a cancelled turn, in milliseconds. Then its process is ended. Default: 10,000. */
  readonly cancelTimeoutMs?: number;
}

type Settings = UpstreamStart & Pick<WireAgentOptions, "cancelTimeoutMs">;

const agentRules: OptionRules<WireAgentOptions> = {
  env: option.object,
  onStderr: option.callable,
  onProblem: option.callable,
  onSlowStart: option.callable,
  signal: option.signal,
  through: option.callable,
  startTimeoutMs: option.amount,
  cancelTimeoutMs: option.amount,
};

const CANCEL_MS = 10_000;

/**
 * Puts another agent of the wire behind a server: a process for each session, in the folder of the session, that speaks
 * on its standard streams. Passes on what the agent says, asks and offers, in the extended profile where the agent has
 * it. A process that has died is started again by the next prompt.
 *
 * @param command the executable, looked up in PATH, and its arguments.
 * @throws TypeError for an empty command, and for an option that is unknown or does not fit. The session's `ready` rejects as `connectProcess` does.
 */
export function wireAgent(command: readonly string[], options: WireAgentOptions = {}): AgentFactory {
  checkOptions("wireAgent", options, agentRules);
  const start = { ...options, command: executableOf(command) };
  return (session) => new RelayedAgent(session, start);
}

/** The agents of sessions, the first of which takes an agent that was started. Internal: for `startAgent`. */
export function wireAgentFrom(started: UpstreamAgent, start: Settings): AgentFactory {
  let first: UpstreamAgent | undefined = started;
  return (session) => {
    const agent = new RelayedAgent(session, start, first);
    first = undefined;
    return agent;
  };
}

class RelayedAgent implements Agent {
  readonly relays = true;
  readonly takesTools = "next_prompt";
  readonly ready: Promise<void>;
  commands: readonly SlashCommand[] = [];
  past: readonly PastMessage[] = [];
  readonly #session: AgentSession;
  readonly #start: Settings;
  readonly #requests: RelayedRequests;
  readonly #unwatch: () => void;
  #upstream: Promise<ClientSession> | undefined;
  /** The connection of the process that runs, once that has introduced itself. */
  #live: ClientSession | undefined;
  /** The reason for which the last process ended by itself; told with the next start. */
  #ended: string | undefined;
  /** The offers that the agent was told last. */
  #told = "";
  #turn: Turn | undefined;
  /** The events of plan modes that we have set and the agent has yet to report. */
  #planModesSet = 0;
  /** Settles once the agent has ended the last turn. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(session: AgentSession, start: Settings, started?: UpstreamAgent) {
    this.#session = session;
    this.#start = start;
    this.#requests = new RelayedRequests(session);
    this.#unwatch = session.watch(() => queueMicrotask(() => void this.#follow()));
    if (started !== undefined) this.#upstream = Promise.resolve(this.#take(started));
    this.ready = this.#connected().then(async (upstream) => {
      // A resumed session has its own record.
      if (!session.isContinued) this.past = await pastOf(upstream);
    });
    // A session that nobody waits for must not end the process.
    this.ready.catch(() => {});
  }

  async run(turn: Turn): Promise<TurnEnding | undefined> {
    const upstream = await this.#free();
    await this.#declare(upstream);
    turn.signal.throwIfAborted();
    this.#turn = turn;
    const prompt = upstream.prompt(turn.input);
    const cancel = () => void upstream.cancel().catch(() => {});
    turn.signal.addEventListener("abort", cancel);
    const result = prompt.result.finally(() => {
      turn.signal.removeEventListener("abort", cancel);
      if (this.#turn === turn) this.#turn = undefined;
    });
    this.#last = result.catch(() => {});
    void this.#passSteers(turn, upstream);
    return ending(await result.catch((error: unknown) => Promise.reject(told(error))));
  }

  /** Tells the agent of the tools at once, so that a client learns which are refused. */
  async offered(): Promise<readonly RefusedTool[]> {
    const result = await this.#declare(await this.#free());
    return result?.external_tools?.rejected ?? [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unwatch();
    await (await this.#upstream?.catch(() => undefined))?.close();
  }

  /** The agent's process, started if there is none. */
  #connected(): Promise<ClientSession> {
    this.#upstream ??= this.#begin().catch((error: unknown) => {
      this.#upstream = undefined;
      throw told(error);
    });
    return this.#upstream;
  }

  async #begin(): Promise<ClientSession> {
    const offers = offersOf(this.#session, () => this.#turn);
    this.#told = offersKey(offers);
    const started = await startUpstream(this.#start, this.#session.workDir, offers);
    if (!this.#isClosed) return this.#take(started);
    await started.session.close();
    throw new LocalError("CLOSED", "the session is closed");
  }

  #take({ session: upstream, heardBy }: UpstreamAgent): ClientSession {
    heardBy({
      question: (view, context) => this.#requests.question(view, context),
      approval: (view, context) => this.#requests.approval(view, context),
      event: (event) => this.#hear(event),
      callOutput: ({ tool_call_id, text, lines }) => this.#turn?.printed(tool_call_id, { text, lines }),
    });
    this.#live = upstream;
    void upstream.closed.then((cause) => {
      if (this.#live !== upstream) return;
      this.#live = undefined;
      this.#upstream = undefined;
      if (!this.#isClosed) this.#ended = cause?.message ?? "the agent closed its output";
    });
    this.#commandsAre(upstream);
    if (this.#ended !== undefined) this.#tellRestart(this.#ended);
    this.#ended = undefined;
    return upstream;
  }

  /** The agent, once it has ended its last turn. An agent that does not end a cancelled turn is started anew. */
  async #free(): Promise<ClientSession> {
    await this.ready.catch(() => {});
    const upstream = await this.#connected();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), this.#start.cancelTimeoutMs ?? CANCEL_MS);
    });
    const first = await Promise.race([this.#last, late]).finally(() => clearTimeout(timer));
    if (first !== "late") return upstream;
    await upstream.close();
    this.#last = Promise.resolve();
    return this.#connected();
  }

  /** Tells the agent of the tools, hooks and abilities that clients have now. */
  async #declare(upstream: ClientSession): Promise<HeardIntroduction | undefined> {
    const offers = offersOf(this.#session, () => this.#turn);
    const key = offersKey(offers);
    if (key === this.#told) return undefined;
    const result = await upstream.declare(offers).catch(unlessUnknown);
    this.#told = key;
    return result;
  }

  #commandsAre({ slashCommands }: ClientSession): void {
    this.commands = slashCommands.map(({ name, description, aliases }) => ({
      name,
      description,
      aliases,
      run: async (turn) => void (await this.run(turn)),
    }));
  }

  #hear(event: WireEvent | Unrecognized): void {
    if (event.type === "InteractionSettled") {
      const { request_id, outcome, response } = event.payload;
      return this.#requests.settled(request_id, outcome, response);
    }
    if (event.type === "ApprovalResponse") {
      const outcome = { status: "answered", by: "policy", at: new Date().toISOString() } as const;
      return this.#requests.settled(event.payload.request_id, outcome, event.payload);
    }
    if (event.type === "CommandsChanged" && this.#live !== undefined) {
      this.#commandsAre(this.#live);
      return this.#session.commandsChanged();
    }
    if (event.type === "StatusUpdate" && this.#tellsPlanMode(event.payload)) return;
    passOn(event, this.#session, this.#turn);
  }

  /** Takes the agent's plan mode over. True for an event of which nothing more is to be told. */
  #tellsPlanMode({ plan_mode, ...rest }: SessionStatus): boolean {
    if (plan_mode === null) return false;
    const isAlone = Object.values(rest).every((value) => value === null);
    const isEcho = isAlone && this.#planModesSet > 0;
    if (isEcho) this.#planModesSet -= 1;
    if (isEcho || plan_mode === this.#session.planMode) return isEcho;
    // Setting it notifies every client.
    this.#session.planMode = plan_mode;
    return isAlone;
  }

  /** Passes words in between to the agent, which reports them once they are read. */
  async #passSteers(turn: Turn, upstream: ClientSession): Promise<void> {
    while (this.#turn === turn) {
      await turn.steered();
      for (const input of turn.takeSteers({ told: true })) {
        await upstream.steer(input).catch(() => turn.emit("SteerInput", { user_input: input }));
      }
    }
  }

  /** Tells the agent of switches that clients have set. */
  async #follow(): Promise<void> {
    const upstream = this.#live;
    if (upstream === undefined) return;
    const { planMode, doNotAsk } = this.#session;
    const switches: Promise<unknown>[] = [];
    if ((upstream.status.plan_mode ?? false) !== planMode) {
      this.#planModesSet += 1;
      switches.push(upstream.setPlanMode(planMode));
    }
    if (upstream.doNotAsk !== doNotAsk) switches.push(upstream.setDoNotAsk(doNotAsk));
    for (const switched of await Promise.allSettled(switches)) {
      if (switched.status === "rejected") this.#start.onProblem?.(`the agent: ${switched.reason}`);
    }
  }

  #tellRestart(why: string): void {
    this.#session.broadcast({
      type: "Notification",
      payload: {
        id: randomId(),
        category: "agent",
        type: "agent.restarted",
        source_kind: "agent",
        source_id: this.#session.id,
        title: "The agent was started again",
        body: `The process before it ended: ${why}`,
        severity: "warning",
        created_at: Date.now() / 1_000,
        payload: {},
      },
    });
  }
}

/** The end of a turn by the agent's reply to the prompt. */
function ending({ status, steps = 0 }: HeardPromptResult): TurnEnding | undefined {
  return status === "max_steps_reached" ? { status: "max_steps_reached", steps } : undefined;
}

/** Nothing, where the agent has no such method. */
function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof WireError && error.is("MethodNotFound"))) throw error;
}

/** The error that clients are told: the agent's own, or the end of its process with its last words. */
function told(error: unknown): unknown {
  if (!(error instanceof LocalError)) return error;
  return new WireError("InternalError", `the agent: ${error.message}`, { cause: error });
}
