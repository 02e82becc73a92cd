import type { Turn } from "@askwire/server";

/** The number of calls with each id in the last turn, also where the agent is asked to continue in that turn. */
export class CallNumbers {
  #turnId: string | undefined;
  #numbers = new Map<string, number>();

  /** True if a step of this turn has begun. */
  knows(turn: Turn): boolean {
    return turn.id === this.#turnId;
  }

  /** Returns the numbers of a turn, which its calls count on. */
  of(turn: Turn): Map<string, number> {
    if (!this.knows(turn)) this.restore(turn, new Map());
    return this.#numbers;
  }

  /** Takes the numbers of a turn that an earlier process left. */
  restore(turn: Turn, numbers: Map<string, number>): void {
    this.#turnId = turn.id;
    this.#numbers = numbers;
  }
}
