import type { Agent, SlashCommand, Tool } from "../agent/agent.js";
import type { AgentSession } from "../agent/agent-session.js";
import { refuseRepeatedNames } from "../agent/tool-names.js";
import { toolsOf } from "../dialects/question-tool.js";
import { atMost } from "../runtime/clock.js";
import { type Watchers, watchers } from "../runtime/watchers.js";
import type { SessionOptions } from "./session-options.js";

/** The time for the end of an agent, in milliseconds. */
const AGENT_END_MS = 5_000;

type SessionAgentOptions = Pick<SessionOptions, "agent" | "dialects" | "clock" | "log">;

/** The agent of a session: made with it, told of its changes, and ended with it. */
export class SessionAgent {
  /** The question tools of its models. */
  readonly dialectTools: readonly Tool[];
  readonly #sessionId: string;
  readonly #options: SessionAgentOptions;
  #agent: Agent | undefined;
  /** The callbacks of the agent; made with the first. */
  #watchers: Watchers<[]> | undefined;

  constructor(sessionId: string, options: SessionAgentOptions) {
    this.#sessionId = sessionId;
    this.#options = options;
    this.dialectTools = options.dialects.flatMap(toolsOf);
  }

  /** @throws TypeError for two tools of one name, any exception of the factory. */
  make(session: AgentSession): void {
    const { agent } = this.#options;
    this.#agent = typeof agent === "function" ? agent(session) : agent;
    if (typeof Object(this.#agent).run !== "function")
      throw new TypeError(
        "createServer: agent: expected an object with run, or a function that returns one at once",
      );
    refuseRepeatedNames(this.tools);
  }

  /** The agent, once it is made. */
  get now(): Agent {
    return this.#agent as Agent;
  }

  /** True if it {@link Agent.relays relays} another. */
  get relays(): boolean {
    return this.now.relays === true;
  }

  get commands(): readonly SlashCommand[] {
    return this.now.commands ?? [];
  }

  get takesTools() {
    return this.now.takesTools ?? "now";
  }

  /** The tools that no client brings. */
  get tools(): readonly Tool[] {
    return [...this.dialectTools, ...(this.now.tools ?? [])];
  }

  /** As `AgentSession.watch`. */
  watch(changed: () => void): () => void {
    this.#watchers ??= watchers((err) =>
      this.#options.log.error(
        { session: this.#sessionId, err },
        "the agent failed at a change of its session",
      ),
    );
    return this.#watchers.watch(changed);
  }

  /** Tells the agent that its session has changed. */
  tell(): void {
    this.#watchers?.tell();
  }

  /** Ends an agent that was made for this session, and tells it nothing more. The wait for the agent is bounded. */
  async end(): Promise<void> {
    this.#watchers = undefined;
    const { agent, clock, log } = this.#options;
    const { now } = this;
    if (typeof agent !== "function" || now.close === undefined) return;
    const end = async () => now.close?.();
    const logged = (err: unknown) =>
      log.error({ session: this.#sessionId, err }, "the agent failed at its end");
    await atMost(clock, AGENT_END_MS, end().catch(logged));
  }
}
