import { startProcess } from "@askwire/client/stdio";
import { LocalError, WireError } from "@askwire/protocol";
import type { AgentSession } from "@askwire/server";
import { agentEnvironment } from "../process/agent-environment.js";
import { type AcpConnection, type AgentMessages, connectAcp } from "./connection.js";
import {
  keepConversation,
  keptConversation,
  type OpenConversation,
  openConversation,
} from "./conversation.js";
import { type IntroducedAgent, introduceAgent } from "./introduce.js";
import type { AcpSettings } from "./options.js";

/** An agent that runs, in a conversation. */
export interface LiveAgent {
  readonly connection: AcpConnection;
  readonly conversation: OpenConversation;
}

/** The surroundings of an agent's life. */
export interface AcpSurroundings {
  readonly session: AgentSession;
  readonly settings: AcpSettings;
  readonly messages: AgentMessages;
  /** Called with each agent that was started, also before a login. */
  connected(connection: AcpConnection): void;
  /** Called before updates of a conversation may come. `retold` is true while the agent says again what was said. */
  opening(id: string, isRetold: boolean): void;
  /** Called with the time for a start, in milliseconds, once a third of it has passed without a conversation. */
  slow(mostMs: number): void;
  /** Called once a conversation is open. `ended` says how the earlier agent ended. */
  opened(live: LiveAgent, ended: Error | undefined): void;
}

/** The agent's process: started at the beginning, and again by the prompt after its end. */
export class AgentLife {
  readonly #around: AcpSurroundings;
  /** An agent that was started before the session, for its first start. */
  #introduced: IntroducedAgent | undefined;
  #connection: AcpConnection | undefined;
  #running: Promise<LiveAgent> | undefined;
  /** The end of the process that ran last, until another has opened a conversation. */
  #ended: Error | undefined;
  /** The id of the conversation to resume. */
  #id: string | undefined;
  /** True while the session's clients know nothing of the conversation. */
  #isNewHere: boolean;
  #isClosed = false;
  /** Asks the process that runs now to end. */
  #stop = () => {};

  constructor(around: AcpSurroundings) {
    const { session, settings } = around;
    const kept = keptConversation(session.memory);
    this.#around = around;
    this.#introduced = settings.introduced;
    this.#id = kept ?? settings.conversation;
    this.#isNewHere = kept === undefined && this.#id !== undefined;
  }

  /**
   * The agent that runs, started where none does.
   *
   * @throws LocalError or WireError that says why there is none.
   */
  live(): Promise<LiveAgent> {
    if (this.#isClosed) return Promise.reject(new WireError("InvalidState", "the session is closed"));
    if (this.#running !== undefined) return this.#running;
    const begun = this.#begin();
    this.#running = begun;
    begun.catch(() => {
      if (this.#running === begun) this.#running = undefined;
    });
    return begun;
  }

  /** The connection to the agent, also before a login, started where none runs. */
  async connection(): Promise<AcpConnection> {
    if (this.#connection?.isOpen === true) return this.#connection;
    const agent = await this.#start();
    const connection = await connectAcp(agent, this.#around.messages).catch((error: unknown) => {
      this.#stop();
      throw error;
    });
    if (this.#isClosed) connection.close();
    this.#connection = connection;
    this.#around.connected(connection);
    void connection.closed.then((cause) => {
      this.#ended = cause ?? new LocalError("CLOSED", "the agent ended");
      this.#running = undefined;
    });
    return connection;
  }

  /** Ends the process. The next prompt starts another. */
  async end(): Promise<void> {
    this.#stop();
    await this.#connection?.closed;
  }

  /** Ends the process for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#connection === undefined) this.#stop();
    this.#connection?.close();
    await this.#connection?.closed;
  }

  async #start(): Promise<IntroducedAgent> {
    const { settings, session } = this.#around;
    const agent = this.#introduced;
    if (agent === undefined) {
      return await startAgent(settings, session.workDir, (stop) => {
        this.#stop = stop;
      });
    }
    this.#introduced = undefined;
    this.#stop = () => agent.channel.close();
    return agent;
  }

  async #begin(): Promise<LiveAgent> {
    const { session, settings, opened, slow: tell } = this.#around;
    const { startTimeoutMs } = settings;
    const slow = setTimeout(() => tell(startTimeoutMs), startTimeoutMs / 3);
    const { connection, conversation } = await this.#reach().finally(() => clearTimeout(slow));
    this.#id = conversation.id;
    this.#isNewHere = false;
    keepConversation(session.memory, conversation.id);
    const before = this.#ended;
    this.#ended = undefined;
    const live = { connection, conversation };
    opened(live, before);
    return live;
  }

  async #reach(): Promise<LiveAgent> {
    const connection = await this.connection();
    return { connection, conversation: await this.#open(connection) };
  }

  #open(connection: AcpConnection): Promise<OpenConversation> {
    const { session, settings, opening } = this.#around;
    const retold = this.#isNewHere;
    return within(settings.startTimeoutMs, this.#stop, () =>
      openConversation({
        connection,
        workDir: session.workDir,
        id: this.#id,
        retold,
        onKnown: (found) => opening(found, retold),
      }),
    );
  }
}

/**
 * Starts the command and introduces us to it.
 *
 * @param onStarted given a function that ends the process at once.
 */
async function startAgent(
  { command: [program, ...args], env, onStderr, newestVersion, startTimeoutMs }: AcpSettings,
  cwd: string,
  onStarted: (stop: () => void) => void,
): Promise<IntroducedAgent> {
  const started = startProcess(program, args, {
    cwd,
    env: env ?? agentEnvironment(process.env),
    ...(onStderr !== undefined && { onStderr }),
  });
  const stop = () => {
    started.kill();
    started.channel.close();
  };
  onStarted(stop);
  try {
    return await introduceAgent(started.channel, newestVersion, startTimeoutMs);
  } catch (error) {
    stop();
    const gone = await started.gone;
    if (!(error instanceof LocalError)) throw error;
    if (error.code === "TIMEOUT") throw started.silent(error);
    throw error.code === "CLOSED" ? gone : error;
  }
}

/** Waits for the agent for a bounded time, and ends an agent that does not answer. */
async function within<T>(ms: number, stop: () => void, work: () => Promise<T>): Promise<T> {
  let late: LocalError | undefined;
  const timer = setTimeout(() => {
    late = new LocalError(
      "TIMEOUT",
      `the agent did not open a conversation within ${ms} ms, and was ended: try again`,
    );
    stop();
  }, ms);
  try {
    return await work();
  } catch (error) {
    throw late ?? error;
  } finally {
    clearTimeout(timer);
  }
}
