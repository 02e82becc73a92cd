import type { UserInput, WireEventInput } from "@askwire/protocol";
import type { AgentSession, Turn } from "@askwire/server";
import { partOf } from "./content.js";
import { EndedCalls } from "./ended-calls.js";
import { ToldHistory } from "./history.js";
import type { ContentBlock } from "./shapes.js";
import { type Scene, Telling } from "./telling.js";

/** The places where an agent speaks, one at a time: a turn, the time between turns, and its history. */
export class Scenes {
  readonly #ended = new EndedCalls();
  readonly #between: Telling;
  /** The history that is said again. It is told to nobody where clients know it. */
  #history: ToldHistory | Telling | undefined;
  #current: { readonly turn: Turn; readonly telling: Telling } | undefined;
  #isMuted = false;
  #steps = 0;

  constructor(session: AgentSession) {
    const scene = {
      emit: (event: WireEventInput) => session.broadcast(event),
      planMode: () => session.planMode,
    };
    this.#between = new Telling(scene, this.#ended);
  }

  /** The place at this moment. */
  get telling(): Telling {
    if (this.#history instanceof ToldHistory) return this.#history.telling;
    return this.#history ?? this.#current?.telling ?? this.#between;
  }

  /** The turn at this moment. */
  get turn(): Turn | undefined {
    return this.#current?.turn;
  }

  /** The number of steps of the last turn. */
  get steps(): number {
    return this.#steps;
  }

  /** True in the rest of a turn that is muted. */
  get isMuted(): boolean {
    return this.#isMuted;
  }

  get isHistory(): boolean {
    return this.#history !== undefined;
  }

  /** Begins a turn. Rejects where the turn cannot continue, and never resolves. */
  enter(turn: Turn): Promise<never> {
    this.#isMuted = false;
    return new Promise((_, reject) => {
      this.#current = { turn, telling: new Telling(this.#sceneOf(turn, reject), this.#ended) };
    });
  }

  /** Tells nobody about the rest of a turn that has ended for its clients. */
  mute(): void {
    this.#isMuted = true;
    if (this.#current !== undefined) this.#current = { ...this.#current, telling: nowhere() };
  }

  /** Ends the turn. */
  leave(): void {
    this.#current?.telling.end();
    this.#current = undefined;
    this.#isMuted = false;
  }

  /** Begins the history of a conversation, which is told to nobody where clients know it. */
  enterHistory(isTold: boolean): void {
    this.#history = isTold ? new ToldHistory() : nowhere();
  }

  /** Ends the history, and returns the events of one that is told. */
  leaveHistory(): readonly WireEventInput[] {
    const left = this.#history;
    this.#history = undefined;
    left?.end();
    return left instanceof ToldHistory ? left.events : [];
  }

  /** Takes a person's words that the agent says again. They count in a history alone. */
  said(blocks: readonly ContentBlock[]): void {
    if (this.#history instanceof ToldHistory) this.#history.said(blocks.map(partOf));
  }

  /** @param stop called with the reason why no step may follow. */
  #sceneOf(turn: Turn, stop: (reason: unknown) => void): Scene {
    return {
      emit: ({ type, payload }) => turn.emit(type, payload as never),
      printed: (callId, printed) => turn.printed(callId, printed),
      planMode: () => turn.planMode,
      step: () => {
        try {
          this.#steps = turn.step();
        } catch (error) {
          stop(error);
        }
      },
    };
  }
}

const nowhere = () => new Telling({ emit() {}, planMode: () => false }, new EndedCalls());

/** Several inputs of a person as one. */
export function joined(inputs: readonly UserInput[]): UserInput {
  if (inputs.length === 1 && inputs[0] !== undefined) return inputs[0];
  return inputs.flatMap((input) =>
    typeof input === "string" ? [{ type: "text" as const, text: input }] : input,
  );
}
