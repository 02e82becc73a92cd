import { type UserInput, WireError } from "@askwire/protocol";
import type { Turn, TurnEnding } from "@askwire/server";
import type { AcpConnection } from "./connection.js";
import { promptBlocks } from "./content.js";
import { wireErrorOf } from "./conversation.js";
import type { AgentLife, LiveAgent } from "./life.js";
import { joined, type Scenes } from "./scenes.js";
import type { Update } from "./shapes.js";

/** The surroundings of a runner. */
export interface PromptStart {
  readonly life: AgentLife;
  readonly scenes: Scenes;
  readonly cancelTimeoutMs: number;
  /** Called when a turn has ended, with the reason of the agent. */
  readonly ended: (stopReason: string) => void;
}

type AgentState = Update<"state_update">;

/** Runs prompts of an agent, one at a time. */
export class PromptRunner {
  readonly #place: PromptStart;
  /** Settles once the agent has ended its prompt, also one that was cancelled. */
  #busy: Promise<unknown> = Promise.resolve();
  #words: string[] = [];
  #onState: (state: AgentState) => void = () => {};

  constructor(place: PromptStart) {
    this.#place = place;
  }

  /** Runs a turn: a prompt of the agent, and one more for the words that a person says meanwhile. */
  async run(turn: Turn): Promise<TurnEnding> {
    await Promise.race([this.#busy, aborted(turn.signal)]);
    const live = await Promise.race([this.#place.life.live(), aborted(turn.signal)]);
    this.#words = [];
    let { input } = turn;
    for (;;) {
      const reason = await this.#runPrompt(live, turn, input);
      const said = [...turn.takeSteers(), ...this.#words.splice(0)];
      if (said.length === 0) return this.#end(reason);
      input = joined(said);
    }
  }

  /** Adds a person's words, which the agent reads after its prompt. */
  say(words: string): void {
    this.#words.push(words);
  }

  /** Takes a state of the agent, by which a prompt of version 2 ends. */
  state(state: AgentState): void {
    this.#onState(state);
  }

  #end(reason: string): TurnEnding {
    const { scenes, ended } = this.#place;
    ended(reason);
    const { steps } = scenes;
    return reason === "max_turn_requests" ? { status: "max_steps_reached", steps } : { status: "finished" };
  }

  async #runPrompt(live: LiveAgent, turn: Turn, input: UserInput): Promise<string> {
    const { scenes } = this.#place;
    const prompting = this.#prompt(live, input).catch((error: unknown) => {
      throw wireErrorOf(error, live.connection);
    });
    const stopped = prompting.catch(() => {});
    this.#busy = stopped;
    const failed = scenes.enter(turn);
    let isLeft = false;
    const stop = () => {
      isLeft = true;
      this.#stop(live, stopped);
    };
    turn.signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([prompting, failed, aborted(turn.signal)]);
    } catch (error) {
      if (!turn.signal.aborted && live.connection.isOpen) stop();
      throw error;
    } finally {
      turn.signal.removeEventListener("abort", stop);
      if (!isLeft) scenes.leave();
    }
  }

  /** Sends a prompt, and waits for its end. */
  async #prompt({ connection, conversation }: LiveAgent, input: UserInput): Promise<string> {
    const prompt = promptBlocks(input, connection.abilities);
    const idle = connection.abilities.version === 2 ? this.#untilIdle(connection) : undefined;
    const reply = await connection.request("session/prompt", { sessionId: conversation.id, prompt });
    if (idle !== undefined) return idle;
    const { stopReason } = Object(reply) as { readonly stopReason?: unknown };
    return typeof stopReason === "string" ? stopReason : "end_turn";
  }

  /** In version 2 a prompt is replied to at once, and has ended when the agent is idle again. */
  #untilIdle(connection: AcpConnection): Promise<string> {
    const idle = new Promise<string>((resolve, reject) => {
      let hasRun = false;
      this.#onState = ({ state, stopReason, error }) => {
        if (state !== "idle") hasRun = true;
        else if (stopReason === "error") reject(new WireError("ProviderError", messageOf(error)));
        else if (hasRun || stopReason != null) resolve(stopReason ?? "end_turn");
      };
      void connection.closed.then((cause) =>
        reject(cause ?? new WireError("ProviderError", "the agent ended")),
      );
    });
    idle.catch(() => {});
    return idle;
  }

  /** Tells the agent that its turn is cancelled, and ends an agent that does not stop. */
  #stop({ connection, conversation }: LiveAgent, stopped: Promise<unknown>): void {
    const { life, scenes, cancelTimeoutMs } = this.#place;
    scenes.mute();
    connection.notify("session/cancel", { sessionId: conversation.id });
    const timer = setTimeout(() => void life.end(), cancelTimeoutMs);
    void stopped.then(() => {
      clearTimeout(timer);
      scenes.leave();
    });
  }
}

/** Rejects when a turn is cancelled, and never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

function messageOf(error: unknown): string {
  const { message } = Object(error) as { readonly message?: unknown };
  return typeof message === "string" ? message : "the agent failed";
}
