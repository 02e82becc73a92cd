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
import { type IntroducedAgent, introduce } from "./introduce.js";
import type { AcpSettings } from "./options.js";

/** An agent that runs, in a conversation. */
export interface LiveAgent {
  readonly connection: AcpConnection;
  readonly conversation: OpenConversation;
}

/** The surroundings of an agent's life. */
export interface Surroundings {
  readonly session: AgentSession;
  readonly settings: AcpSettings;
  readonly messages: AgentMessages;
  /** Called with each agent that was started, also before a login. */
  connected(connection: AcpConnection): void;
  /** Called before updates of a conversation may come. `retold` is true while the agent says again what was said. */
  opening(id: string, isRetold: boolean): void;
  /** Called once a conversation is open. `ended` tells how the agent ended that ran before. */
  opened(live: LiveAgent, ended: Error | undefined): void;
}

/** The agent's process: started at the beginning, and again by the prompt after its end. */
export interface Life {
  /**
   * The agent that runs, started where none does.
   *
   * @throws LocalError or WireError that tells why there is none.
   */
  live(): Promise<LiveAgent>;
  /** The connection to the agent, also before a login, started where none runs. */
  connection(): Promise<AcpConnection>;
  /** Ends the process. The next prompt starts another. */
  end(): Promise<void>;
  /** Ends the process for good. */
  close(): Promise<void>;
}

export function agentLife({ session, settings, messages, connected, opening, opened }: Surroundings): Life {
  let introduced = settings.introduced;
  let running: Promise<LiveAgent> | undefined;
  let connection: AcpConnection | undefined;
  let id = keptConversation(session.memory) ?? settings.conversation;
  /** True while the session's clients know nothing of the conversation. */
  let isNewHere = keptConversation(session.memory) === undefined && id !== undefined;
  let ended: Error | undefined;
  let isClosed = false;
  /** Asks the process that runs now to end. */
  let stop = () => {};

  /** The connection, to an agent that is started where none runs. */
  async function connect(): Promise<AcpConnection> {
    if (connection?.isOpen === true) return connection;
    const agent =
      introduced ??
      (await startAgent(settings, session.workDir, (ends) => {
        stop = ends;
      }));
    if (agent === introduced) stop = () => agent.channel.close();
    introduced = undefined;
    const known = await connectAcp(agent, messages).catch((error: unknown) => {
      stop();
      throw error;
    });
    if (isClosed) known.close();
    connection = known;
    connected(known);
    void known.closed.then((cause) => {
      ended = cause ?? new LocalError("CLOSED", "the agent ended");
      running = undefined;
    });
    return known;
  }

  async function begin(): Promise<LiveAgent> {
    const known = await connect();
    const retold = isNewHere;
    const conversation = await within(settings.startTimeoutMs, stop, () =>
      openConversation({
        connection: known,
        workDir: session.workDir,
        id,
        retold,
        onKnown: (found) => opening(found, retold),
      }),
    );
    id = conversation.id;
    isNewHere = false;
    keepConversation(session.memory, id);
    const before = ended;
    ended = undefined;
    const live = { connection: known, conversation };
    opened(live, before);
    return live;
  }

  return {
    live() {
      if (isClosed) return Promise.reject(new WireError("InvalidState", "the session is closed"));
      if (running === undefined) {
        const begun = begin();
        running = begun;
        begun.catch(() => {
          if (running === begun) running = undefined;
        });
      }
      return running;
    },
    connection: connect,
    async end() {
      stop();
      await connection?.closed;
    },
    async close() {
      isClosed = true;
      if (connection === undefined) stop();
      connection?.close();
      await connection?.closed;
    },
  };
}

/**
 * Starts the command and introduces us to it.
 *
 * @param onStarted given a function that ends the process at once.
 */
async function startAgent(
  { command: [program, ...args], env, onStderr, newestVersion, startTimeoutMs }: AcpSettings,
  cwd: string,
  onStarted: (ends: () => void) => void,
): Promise<IntroducedAgent> {
  const started = startProcess(program, args, {
    cwd,
    env: env ?? agentEnvironment(process.env),
    ...(onStderr !== undefined && { onStderr }),
  });
  const ends = () => {
    started.kill();
    started.channel.close();
  };
  onStarted(ends);
  try {
    return await introduce(started.channel, newestVersion, startTimeoutMs);
  } catch (error) {
    ends();
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
    late = new LocalError("TIMEOUT", `the agent did not open a conversation within ${ms} ms, and was ended`);
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
