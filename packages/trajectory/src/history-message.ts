import type { Message } from "@askwire/server";
import { inputText, resultText } from "./result-text.js";
import { addSaid, nativeCalls, newStep, stepMessages } from "./step.js";
import type { TrajectoryMessage } from "./trajectory.js";

/** A message of the model's history as one of a trajectory, which nobody learns. Empty ones give nothing. */
export function historyMessage(message: Message): TrajectoryMessage[] {
  if (message.role === "user") return [{ role: "user", content: inputText(message.content), loss: false }];
  if (message.role === "tool") {
    const { tool_call_id, result } = message;
    return [{ role: "tool", content: resultText(result), loss: false, tool_call_id }];
  }
  const step = newStep();
  for (const part of message.content) addSaid(step, part);
  step.calls.push(...nativeCalls(message.tool_calls));
  return stepMessages(step);
}
