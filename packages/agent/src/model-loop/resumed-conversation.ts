import type { Message, ResumedTurn, TakesLater, Tool, Turn } from "@askwire/server";
import type { ModelMemory } from "./conversation.js";
import { tellsResultOf } from "./late-results.js";
import type { LeftStep } from "./left-step.js";
import { leftMessages } from "./left-steps.js";

/**
 * Adds the steps of a turn that an earlier process left to its conversation, save the last one, which may continue.
 *
 * @param from the step where the history ends, with the model's `spoken` words as far as the history has them.
 */
export function addLeftSteps(
  turn: Turn,
  conversation: ModelMemory,
  steps: readonly LeftStep[],
  from: { readonly step: number; readonly spoken: Message | undefined },
  { isStarted }: ResumedTurn,
): void {
  for (const left of steps) {
    if (left.n > 0) turn.step();
    complete(left, left.n === from.step ? from.spoken : undefined, isStarted);
    conversation.beginStep(turn.id, left.n);
    const isLast = left.n > 0 && left === steps.at(-1);
    if (left.n >= from.step && !isLast) conversation.add(...leftMessages(left));
  }
}

/** Completes what clients were told of a step by what the history and the journal know of it. */
function complete(left: LeftStep, spoken: Message | undefined, isStarted: ResumedTurn["isStarted"]): void {
  if (spoken?.role === "assistant") {
    // The history has the calls in the model's text word for word.
    left.content = spoken.content;
    left.isSpoken ||= left.mayBeSpoken;
  }
  for (const call of left.calls) call.isWhole ||= isStarted({ callId: call.call.id, nth: call.nth });
  left.isSpoken ||= left.mayBeSpoken && left.calls.at(-1)?.isWhole === true;
}

/** Lets questions in the background continue, where their answers were not told. */
export function goOnInBackground(
  turn: Turn,
  steps: readonly LeftStep[],
  tools: readonly Tool[],
  later: TakesLater,
): void {
  const said = steps.flatMap((left) => left.said);
  for (const { call, nth, result } of steps.flatMap(({ calls }) => calls)) {
    const tool = tools.find(({ name }) => name === call.function.name);
    const isTold = said.some((words) => tellsResultOf(words, call.id));
    if (result === undefined || tool === undefined || isTold) continue;
    void turn.callTool(tool, call, { announced: true, later, nth });
  }
}
