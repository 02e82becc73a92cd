import type { UserInput, WireEventInput } from "@askwire/protocol";
import type { AgentSession, Turn } from "@askwire/server";
import { partOf } from "./content.js";
import { type HistoryTelling, historyTelling } from "./history.js";
import type { ContentBlock } from "./shapes.js";
import { type Telling, telling } from "./telling.js";

/** The places where an agent speaks, one at a time: a turn, the time between turns, and its history. */
export interface Scenes {
  /** The place at this moment. */
  telling(): Telling;
  /** The turn at this moment. */
  turn(): Turn | undefined;
  /** Begins a turn. Rejects where the turn cannot go on, and never resolves. */
  enter(turn: Turn): Promise<never>;
  /** Tells nobody of the rest of a turn that has ended for its clients. */
  mute(): void;
  /** True in the rest of a turn that is muted. */
  readonly isMuted: boolean;
  /** Ends the turn. */
  leave(): void;
  /** The number of steps of the last turn. */
  readonly steps: number;
  /** Begins the history of a conversation, which is told to nobody where clients know it. */
  enterHistory(isTold: boolean): void;
  /** Ends the history, and returns the events of one that is told. */
  leaveHistory(): readonly WireEventInput[];
  /** True in a history. */
  readonly isHistory: boolean;
  /** A person's words that the agent says again. They count in a history alone. */
  said(blocks: readonly ContentBlock[]): void;
}

export function scenes(session: AgentSession): Scenes {
  const ended = new Set<string>();
  const broadcast = (event: WireEventInput) => session.broadcast(event);
  const between = telling({ emit: broadcast, planMode: () => session.planMode }, ended);
  const nowhere = () => telling({ emit() {}, planMode: () => false }, new Set());
  let history: Telling | HistoryTelling | undefined;
  let steps = 0;
  let isMuted = false;
  let current: { readonly turn: Turn; readonly telling: Telling } | undefined;

  return {
    telling: () => history ?? current?.telling ?? between,
    turn: () => current?.turn,
    enter: (turn) =>
      new Promise((_, reject) => {
        const scene = {
          emit: ({ type, payload }: WireEventInput) => turn.emit(type, payload as never),
          planMode: () => turn.planMode,
          step() {
            try {
              steps = turn.step();
            } catch (error) {
              reject(error);
            }
          },
        };
        isMuted = false;
        current = { turn, telling: telling(scene, ended) };
      }),
    get steps() {
      return steps;
    },
    mute() {
      isMuted = true;
      if (current !== undefined) current = { ...current, telling: nowhere() };
    },
    get isMuted() {
      return isMuted;
    },
    leave() {
      current?.telling.end();
      current = undefined;
      isMuted = false;
    },
    get isHistory() {
      return history !== undefined;
    },
    enterHistory(isTold) {
      history = isTold ? historyTelling() : nowhere();
    },
    leaveHistory() {
      const left = history;
      history = undefined;
      left?.end();
      return left !== undefined && "events" in left ? left.events : [];
    },
    said(blocks) {
      if (history !== undefined && "said" in history) history.said(blocks.map(partOf));
    },
  };
}

/** Several inputs of a person as one. */
export function joined(inputs: readonly UserInput[]): UserInput {
  if (inputs.length === 1 && inputs[0] !== undefined) return inputs[0];
  return inputs.flatMap((input) =>
    typeof input === "string" ? [{ type: "text" as const, text: input }] : input,
  );
}
