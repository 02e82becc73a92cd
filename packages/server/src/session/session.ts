import type { PromptResult, SessionState, UserInput } from "@askwire/protocol";
import type { SlashCommand } from "../agent/agent.js";
import type { AgentSession } from "../agent/agent-session.js";
import type { ClientName } from "../profiles/profile.js";
import type { AnyInteraction } from "../requests/core.js";
import type { PromptOrigin } from "./session-options.js";

/** A conversation: an agent, at most one turn at a time, and any number of connections, or none. */
export interface Session extends AgentSession {
  /** The activity of the session: none, a turn, or a wait for a person. */
  readonly state: SessionState;
  /** The number of connected clients. */
  readonly connections: number;
  /** True while a turn is under way. */
  readonly running: boolean;
  /** True while there is no client, no turn and no open request. */
  readonly idle: boolean;
  /** The open requests, oldest first. */
  readonly pending: readonly AnyInteraction[];
  /** The commands that a prompt may begin with. */
  readonly commands: readonly SlashCommand[];
  /**
   * Runs one turn to its end (P-TRN-1 to P-TRN-5). With the id of an earlier turn it ends as that turn did, or does
   * (P-XTR-2).
   *
   * @throws WireError InvalidState while another runs, and once the session ends, Overloaded if it cannot be kept
   * (P-DUR-6); else the failure of the agent.
   */
  prompt(input: UserInput, origin?: PromptOrigin): Promise<PromptResult>;
  /**
   * Adds words to the running turn, which the agent takes after its current step (P-STR-1). If the dialect of an open
   * question allows it, text answers that question instead (P-DIA-7).
   *
   * @param by the client that says it. Default: this process.
   * @param id a name of the words, which are said once under it (P-XTR-3). Default: none.
   * @throws WireError InvalidState without a running turn, Overloaded when too much waits.
   */
  steer(input: UserInput, by?: ClientName, id?: string): void;
  /**
   * Cancels the running turn, even if its agent does not cooperate (P-TRN-6). Does nothing without a turn.
   *
   * @param turnId cancels this turn alone. Default: any running turn.
   */
  cancel(turnId?: string): void;
  /**
   * Ends the session: open requests are settled, then the turn is cancelled (P-CLO-2). The next process does not go on
   * with that turn, as it does when the server is closed. Resolves when it has ended.
   */
  close(reason?: "session_closed" | "shutdown"): Promise<void>;
}
