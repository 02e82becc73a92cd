import { linkedPair, type UserInput } from "@askwire/protocol";
import type { Agent } from "../agent/agent.js";
import type { AgentFactory } from "../agent/agent-session.js";
import type { Log } from "../runtime/log.js";
import { createServer } from "../server/server.js";
import type { ServerOptions } from "../server/server-options.js";
import type { Session } from "../session/session.js";
import type { DrivenClock } from "./driven-clock.js";
import { ScriptedRun } from "./scripted-run.js";

/**
 * The settings of {@link testAgent}: those of a server, where a `clock` such as `drivenClock` lets a test pass deadlines
 * at once. By default nothing is logged, and the message of an exception is in the result.
 */
export interface TestAgentOptions extends Omit<ServerOptions, "agent"> {
  /** Milliseconds, by the system's clock, until a run that does not end has failed. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** A session with the agent under test. */
export interface TestedAgent {
  /** The session that all prompts are in. */
  readonly session: Session;
  /** A prompt, to be given its script and awaited. Await one before the next. */
  prompt(input: UserInput): ScriptedRun;
  /** Ends the session. Nothing is left that would keep a process alive, so a test need not call it. */
  close(): Promise<void>;
}

/**
 * Runs an agent in this process, for a test: in a session of its own, with a client of the extended profile whose person
 * is a script. Works with every test runner.
 *
 * ```ts
 * const { text, asked } = await testAgent(agent).prompt("Set up").answers({ "Which database?": "SQLite" });
 * ```
 *
 * @throws as `createServer` and its `createSession`.
 */
export function testAgent(agent: Agent | AgentFactory, options: TestAgentOptions = {}): TestedAgent {
  const { timeoutMs = 10_000, ...settings } = options;
  const server = createServer({ rawErrors: true, log: noLog, ...settings, agent });
  const session = server.createSession({ stay: true });
  return {
    session,
    prompt: (input) =>
      new ScriptedRun({
        input,
        timeoutMs,
        connect() {
          const { left, right } = linkedPair();
          server.connect(left, { session });
          return right;
        },
        waitingTimers: () => (options.clock as Partial<DrivenClock> | undefined)?.waiting ?? 0,
        abandon: () => session.cancel(),
      }),
    close: () => server.close(),
  };
}

const ignore = () => {};
const noLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
