import { WireError, wireErrorCodes } from "@askwire/protocol";
import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import type {
  Agent,
  AgentFactory,
  AgentSession,
  PastMessage,
  SlashCommand,
  Turn,
  TurnEnding,
} from "@askwire/server";
import { openLinks } from "../elicitation/ask-link.js";
import { executableOf } from "../process/executable-of.js";
import { AGENT_START_MS } from "../process/start-time.js";
import { allowedChanges } from "./allowed-changes.js";
import type { AcpConnection } from "./connection.js";
import { wireErrorOf } from "./conversation.js";
import { AgentNotifications } from "./incoming-notifications.js";
import { agentRequests } from "./incoming-requests.js";
import { AgentLife, type LiveAgent } from "./life.js";
import { loginCommand } from "./login.js";
import { tellEnding, tellSlowStart, tellStart } from "./notices.js";
import type { AcpAgentOptions, AcpSettings } from "./options.js";
import { type PlanModeLink, planModeLink } from "./plan-mode.js";
import { PromptRunner } from "./prompt-runner.js";
import { Scenes } from "./scenes.js";
import { AcpModeSettings } from "./settings.js";

const agentRules: OptionRules<AcpAgentOptions> = {
  env: option.object,
  name: option.text,
  introduced: option.object,
  conversation: option.text,
  newestVersion: { expected: "1 or 2", fits: (value) => value === 1 || value === 2 },
  startTimeoutMs: option.amount,
  cancelTimeoutMs: option.amount,
  onStderr: option.callable,
  onStray: option.callable,
  onChosen: option.callable,
};

/** The time for an agent to end a cancelled prompt, in milliseconds. */
const CANCEL_MS = 10_000;

/**
 * Makes an agent of a command that speaks ACP (Agent Client Protocol) on its standard input and output. Each session
 * has a process of its own, in the folder of the session. A process that ends is started again by the next prompt.
 *
 * @param command the executable, looked up in PATH, and its arguments.
 * @throws TypeError for an empty command, and for an option that is unknown or does not fit.
 */
export function acpAgent(command: readonly string[], options: AcpAgentOptions = {}): AgentFactory {
  checkOptions("acpAgent", options, agentRules);
  const settings: AcpSettings = {
    newestVersion: 2,
    startTimeoutMs: AGENT_START_MS,
    cancelTimeoutMs: CANCEL_MS,
    ...options,
    command: executableOf(command),
  };
  let { introduced } = settings;
  return (session) => {
    const { introduced: _first, ...rest } = settings;
    const own = introduced === undefined ? rest : { ...rest, introduced };
    introduced = undefined;
    return new AcpAgent(session, own);
  };
}

/** An ACP agent in a session. */
class AcpAgent implements Agent {
  readonly takesTools = "never";
  readonly ready: Promise<void>;
  readonly #session: AgentSession;
  readonly #settings: AcpSettings;
  readonly #scenes: Scenes;
  readonly #links = openLinks();
  readonly #changes = allowedChanges();
  readonly #life: AgentLife;
  readonly #runner: PromptRunner;
  readonly #chosen: AcpModeSettings;
  readonly #plan: PlanModeLink;
  readonly #incoming: AgentNotifications;
  /** The id of the conversation; undefined before the agent has one. */
  #conversation: string | undefined;
  #past: readonly PastMessage[] = [];

  constructor(session: AgentSession, settings: AcpSettings) {
    this.#session = session;
    this.#settings = settings;
    this.#scenes = new Scenes(session);
    this.#life = this.#newLife();
    this.#runner = new PromptRunner({
      life: this.#life,
      scenes: this.#scenes,
      cancelTimeoutMs: settings.cancelTimeoutMs,
      ended: (reason) => tellEnding(session, reason),
    });
    this.#chosen = new AcpModeSettings({
      session,
      ask: (method, params) => this.#ask(method, params),
      prompt: (turn) => this.run(turn),
      picked: () => this.#plan.agentChanged(),
      chosen: (chosen) => settings.onChosen?.(chosen),
    });
    this.#plan = planModeLink(session, this.#chosen);
    this.#incoming = this.#newNotifications();
    this.ready = whenReady(this.#life.live());
  }

  get commands(): readonly SlashCommand[] {
    return this.#chosen.commands;
  }

  get past(): readonly PastMessage[] {
    return this.#past;
  }

  async run(turn: Turn): Promise<TurnEnding> {
    try {
      return await this.#runner.run(turn);
    } finally {
      this.#changes.clear();
    }
  }

  async close(): Promise<void> {
    this.#plan.close();
    await this.#life.close();
  }

  #newLife(): AgentLife {
    const requests = agentRequests({
      session: this.#session,
      scenes: this.#scenes,
      links: this.#links,
      changes: this.#changes,
      conversation: () => this.#conversation,
      say: (words) => this.#runner.say(words),
    });
    return new AgentLife({
      session: this.#session,
      settings: this.#settings,
      messages: {
        requests,
        notification: (method, params) => this.#incoming.take(method, params),
        stray: this.#stray,
      },
      connected: (connection) => this.#connected(connection),
      opening: (id, isRetold) => this.#opening(id, isRetold),
      slow: (mostMs) => tellSlowStart(this.#session, mostMs),
      opened: (live, ended) => this.#opened(live, ended),
    });
  }

  #newNotifications(): AgentNotifications {
    const scenes = this.#scenes;
    return new AgentNotifications({
      to: {
        session: this.#session,
        settings: this.#chosen,
        telling: () => scenes.telling,
        isHistory: () => scenes.isHistory,
        said: (blocks) => scenes.said(blocks),
        modeChanged: this.#plan.agentChanged,
        state: (state) => this.#runner.state(state),
      },
      links: this.#links,
      turn: () => scenes.turn,
      stray: this.#stray,
    });
  }

  readonly #stray = (problem: string): void => this.#settings.onStray?.(problem);

  #connected({ abilities }: AcpConnection): void {
    if (abilities.logins.length > 0) this.#chosen.add(loginCommand(() => this.#life.connection()));
  }

  #opening(id: string, isRetold: boolean): void {
    this.#conversation = id;
    this.#scenes.enterHistory(isRetold);
    this.#incoming.opening(id);
  }

  #opened(live: LiveAgent, ended: Error | undefined): void {
    const { id, settings } = live.conversation;
    this.#conversation = id;
    this.#tellHistory();
    this.#chosen.take(settings);
    this.#plan.opened();
    this.#incoming.opened(id);
    tellStart(this.#session, live, ended);
  }

  /** Relays the history that the agent has said again. A session that is kept has it in its own record from now on. */
  #tellHistory(): void {
    const before = this.#scenes.leaveHistory();
    const session = this.#session;
    if (session.memory === undefined) this.#past = before.map((event) => ({ form: "event", ...event }));
    else for (const event of before) session.broadcast(event);
  }

  /** Sends a request about the conversation to the agent that runs. */
  async #ask(method: string, params: Record<string, unknown>): Promise<unknown> {
    const { connection, conversation } = await this.#life.live();
    try {
      return await connection.request(method, { ...params, sessionId: conversation.id });
    } catch (error) {
      throw wireErrorOf(error, connection);
    }
  }
}

/** An agent that wants a login first is ready: its next prompt says so. */
async function whenReady(live: Promise<unknown>): Promise<void> {
  try {
    await live;
  } catch (error) {
    if (!(error instanceof WireError)) {
      throw new WireError("ProviderError", error instanceof Error ? error.message : String(error), {
        cause: error,
      });
    }
    if (error.code !== wireErrorCodes.AuthExpired) throw error;
  }
}
