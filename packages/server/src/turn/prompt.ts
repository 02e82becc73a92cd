import type { Agent, Turn, TurnEnding } from "../agent/agent.js";
import { endOfRun } from "./end-of-run.js";
import { findCommand } from "./slash-command.js";

/**
 * Runs a prompt (P-HOK-6, P-SLH-1). A hook may stop it before the agent sees it. A command may take the agent's place.
 * A hook may keep the agent from ending.
 *
 * @param again makes the same turn with another input.
 */
export async function runPrompt(
  agent: Agent,
  turn: Turn,
  again: (input: string) => Turn,
): Promise<TurnEnding | undefined> {
  const { hooks, input } = turn;
  if (hooks.has("UserPromptSubmit")) {
    const verdict = await hooks.run("UserPromptSubmit", { prompt: input });
    if (verdict.action === "block") {
      const why = verdict.reason.trim();
      turn.say(`A hook blocked this prompt${why === "" ? "." : `: ${why}`}`);
      return undefined;
    }
  }
  const found = findCommand(agent.commands ?? [], input);
  if (found !== undefined) {
    await found.command.run(turn, found.args);
    return undefined;
  }
  const ending = endOfRun(await agent.run(turn));
  if (!hooks.has("Stop")) return ending;
  const verdict = await hooks.run("Stop", { stopHookActive: false });
  turn.signal.throwIfAborted();
  // A person's stop is final, whatever a program says. Without a reason the agent has nothing to continue with.
  if (verdict.action === "allow" || verdict.reason.trim() === "" || turn.stopped) return ending;
  // Once: a hook that always blocks would keep the turn for ever.
  return endOfRun(await agent.run(again(verdict.reason)));
}
