import { type UserInput, WireError } from "@askwire/protocol";
import type { Turn, TurnEnding } from "@askwire/server";
import type { AcpConnection } from "./connection.js";
import { promptBlocks } from "./content.js";
import { wireErrorOf } from "./conversation.js";
import type { AgentLife, LiveAgent } from "./life.js";
import { joined, type Scenes } from "./scenes.js";
import type { Update } from "./shapes.js";

/** Runs prompts of an agent, one at a time. */
export interface PromptRunner {
  /** Runs a turn: a prompt of the agent, and one more for the words that a person says meanwhile. */
  run(turn: Turn): Promise<TurnEnding>;
  /** Adds a person's words, which the agent reads after its prompt. */
  say(words: string): void;
  /** Takes a state of the agent, by which a prompt of version 2 ends. */
  state(update: Update<"state_update">): void;
}

/** The parts of a runner. */
export interface PromptRunnerInit {
  readonly life: AgentLife;
  readonly scenes: Scenes;
  readonly cancelTimeoutMs: number;
  /** Called when a turn has ended, with the reason of the agent. */
  readonly ended: (stopReason: string) => void;
}

export function promptRunner({ life, scenes, cancelTimeoutMs, ended }: PromptRunnerInit): PromptRunner {
  /** Settles once the agent has ended its prompt, also one that was cancelled. */
  let busy: Promise<unknown> = Promise.resolve();
  let words: string[] = [];
  let onState: (update: Update<"state_update">) => void = () => {};

  /** Sends a prompt, and waits for its end. */
  async function prompt({ connection, conversation }: LiveAgent, input: UserInput): Promise<string> {
    const blocks = promptBlocks(input, connection.abilities);
    const params = { sessionId: conversation.id, prompt: blocks };
    const idle = connection.abilities.version === 2 ? untilIdle(connection) : undefined;
    const reply = await connection.request("session/prompt", params);
    if (idle !== undefined) return idle;
    const { stopReason } = Object(reply) as { readonly stopReason?: unknown };
    return typeof stopReason === "string" ? stopReason : "end_turn";
  }

  /** In version 2 a prompt is replied to at once, and has ended when the agent is idle again. */
  function untilIdle(connection: AcpConnection): Promise<string> {
    const idle = new Promise<string>((resolve, reject) => {
      let hasRun = false;
      onState = ({ state, stopReason, error }) => {
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

  /** Tells the agent of a cancelled turn, and ends an agent that does not stop. */
  function stopAgent({ connection, conversation }: LiveAgent, stopped: Promise<unknown>): void {
    connection.notify("session/cancel", { sessionId: conversation.id });
    const timer = setTimeout(() => void life.end(), cancelTimeoutMs);
    void stopped.then(() => clearTimeout(timer));
  }

  async function runPrompt(live: LiveAgent, turn: Turn, input: UserInput): Promise<string> {
    const prompting = prompt(live, input).catch((error: unknown) => {
      throw wireErrorOf(error, live.connection);
    });
    const stopped = prompting.catch(() => {});
    busy = stopped;
    const failed = scenes.enter(turn);
    let isLeft = false;
    const stop = () => {
      isLeft = true;
      scenes.mute();
      stopAgent(live, stopped);
      void stopped.then(() => scenes.leave());
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

  return {
    async run(turn) {
      await Promise.race([busy, aborted(turn.signal)]);
      const live = await Promise.race([life.live(), aborted(turn.signal)]);
      words = [];
      let input = turn.input;
      for (;;) {
        const reason = await runPrompt(live, turn, input);
        const said = [...turn.takeSteers(), ...words.splice(0)];
        if (said.length === 0) {
          ended(reason);
          const { steps } = scenes;
          return reason === "max_turn_requests"
            ? { status: "max_steps_reached", steps }
            : { status: "finished" };
        }
        input = joined(said);
      }
    },
    say: (said) => void words.push(said),
    state: (update) => onState(update),
  };
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
