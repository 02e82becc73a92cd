import type { AcpVersion, IntroducedAgent } from "./introduce.js";

/** The names of what an agent has chosen; undefined where it does not tell. */
export interface AcpChosen {
  readonly model: string | undefined;
  readonly mode: string | undefined;
}

/** The ways of {@link acpAgent}. */
export interface AcpAgentOptions {
  /**
   * The whole environment of the agent's process. Default: this process's without the variables of Askwire and without
   * keys of model providers, as `agentEnvironment` makes it.
   */
  readonly env?: NodeJS.ProcessEnv;
  /** The name for the agent in what persons read. Default: the name that it gives itself, else the command. */
  readonly name?: string;
  /**
   * An agent that was started and has introduced itself, in the place of the first start. Later starts run the command.
   * Default: none.
   */
  readonly introduced?: IntroducedAgent;
  /** The id of a conversation of the agent's that new sessions resume. Default: each begins its own. */
  readonly conversation?: string;
  /** The newest version of ACP that is offered to the agent. Default: 2, a draft, which most agents answer with 1. */
  readonly newestVersion?: AcpVersion;
  /**
   * The time for the agent to introduce itself and to open a conversation, in milliseconds each. After a third of it the
   * person is told that the agent is waited for. Default: 180,000.
   */
  readonly startTimeoutMs?: number;
  /** The time in which a cancelled prompt has to end, in milliseconds. Then the agent is ended. Default: 10,000. */
  readonly cancelTimeoutMs?: number;
  /** Called with the agent's standard error. Default: none; errors have its last 4,096 characters. */
  readonly onStderr?: (text: string) => void;
  /** Called with a line for each message of the agent that has no effect. Default: none. */
  readonly onStray?: (problem: string) => void;
  /** Called with the model and the mode of a conversation once it is open, and with each change. Default: none. */
  readonly onChosen?: (chosen: AcpChosen) => void;
}

/** The options with their defaults. */
export type AcpSettings = Required<
  Pick<AcpAgentOptions, "newestVersion" | "startTimeoutMs" | "cancelTimeoutMs">
> &
  AcpAgentOptions & { readonly command: readonly [string, ...string[]] };
