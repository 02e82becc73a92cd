import type { Turn } from "./turn.js";

/** How an agent ended its turn; `finished` unless it says otherwise. */
export type TurnEnding = { status: "finished" } | { status: "max_steps_reached"; steps: number };

/** Whatever drives a conversation: bring your own loop, or use `modelAgent`. */
export interface Agent {
  /**
   * Runs one turn. Ends when the turn is done; throws what the prompt should be answered with. When
   * `turn.signal` is aborted nobody waits for it any more.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: an agent that just ends returns nothing.
  run(turn: Turn): Promise<TurnEnding | void>;
}

/** Makes an agent for each session, where it has a state of its own. */
export type AgentFactory = (session: { readonly id: string }) => Agent;
