import { KILO_TOOL as FOLLOW_UP, kiloResultInText, resultInText } from "@askwire/dialects/internal";
import type { ContentPart, ToolCall, ToolReturnValue } from "@askwire/protocol";
import type { RecordCall } from "./call-facts.js";
import { inputText, partText, resultText } from "./result-text.js";
import type { TrajectoryMessage } from "./trajectory.js";

/** The recorded words and calls of the model in one step. */
export interface RecordedStep {
  /** The model's text in its order: thoughts, text, and calls in the text. */
  content: string;
  /** True if the text ends in an open thought: adjacent pieces are one thought. */
  thinking: boolean;
  /** The text alone. */
  said: string;
  /** True for a complete step: a step that was cut off is not learned (P-TRJ-3). */
  whole: boolean;
  readonly calls: RecordCall[];
}

export const newStep = (): RecordedStep => ({
  content: "",
  thinking: false,
  said: "",
  whole: false,
  calls: [],
});

const THOUGHT_END = "</think>\n";

/** A thought is over where something else comes. */
function endThought(step: RecordedStep): void {
  if (step.thinking) step.content += THOUGHT_END;
  step.thinking = false;
}

/** Adds the model's words. Returns their length. */
export function addSaid(step: RecordedStep, part: ContentPart): number {
  const before = step.content.length;
  if (part.type === "think") {
    if (part.think !== "") {
      step.content += step.thinking ? part.think : `<think>${part.think}`;
      step.thinking = true;
    }
    // A signed thought continues in no other part.
    if (part.encrypted !== null) endThought(step);
  } else {
    endThought(step);
    const text = partText(part).join("");
    step.content += text;
    step.said += text;
  }
  return step.content.length - before;
}

/**
 * Adds a call, and its part of the text. Returns its length. The space between two calls in the text is not recorded,
 * so each gets its own line.
 */
export function call(step: RecordedStep, { id, function: made, extras }: ToolCall): number {
  const { name, arguments: text } = made;
  endThought(step);
  const written = typeof extras?.written === "string" ? extras.written : undefined;
  if (written !== undefined) {
    step.content += step.calls.at(-1)?.end === step.content.length ? `\n${written}` : written;
  }
  const end = written === undefined ? undefined : step.content.length;
  step.calls.push({ id, name, arguments: text ?? "", end, extras, result: undefined });
  return name.length + (text ?? "").length + (written ?? "").length;
}

/** Calls of a provider's tools that are whole, without results. */
export const nativeCalls = (calls: readonly ToolCall[]): RecordCall[] =>
  calls.map(({ id, function: { name, arguments: text }, extras }) => ({
    id,
    name,
    arguments: text ?? "",
    end: undefined,
    extras,
    result: undefined,
  }));

/** Takes the words of a step with calls in its text as the model wrote them, in the place of those that were told. */
export function saidInText(step: RecordedStep, content: readonly ContentPart[]): void {
  const written = newStep();
  for (const part of content) addSaid(written, part);
  endThought(written);
  Object.assign(step, { content: written.content, said: written.said, thinking: false });
  for (const [index, made] of step.calls.entries())
    if (made.name === FOLLOW_UP) step.calls[index] = { ...made, end: step.content.length };
}

/** Adds arguments to the last call. Returns their length. */
export function moreArguments(step: RecordedStep, part: string | null): number {
  const last = step.calls.at(-1);
  if (last !== undefined) last.arguments += part ?? "";
  return part?.length ?? 0;
}

/** The result of a call: of two calls with one id the first that has none gets it. */
export function result(step: RecordedStep, id: string, value: ToolReturnValue): number {
  const open = step.calls.find((made) => made.id === id && made.result === undefined);
  if (open === undefined) return 0;
  open.result = value;
  return resultText(value).length;
}

/** The messages of a step: the model's, then the results of its calls, native ones first (P-TRJ-4). */
export function stepMessages(step: RecordedStep): TrajectoryMessage[] {
  endThought(step);
  const { content, whole, calls } = step;
  if (content === "" && calls.length === 0) return [];
  const native = calls.filter(({ end }) => end === undefined);
  const made = native.map(({ id, name, arguments: text }) => ({
    id,
    name,
    arguments: text.trim() === "" ? "{}" : text,
  }));
  const spoken: TrajectoryMessage = {
    role: "assistant",
    content,
    loss: whole,
    ...(made.length > 0 && { tool_calls: made }),
  };
  return [
    spoken,
    ...native.flatMap(({ id, result: value }): TrajectoryMessage[] =>
      value === undefined
        ? []
        : [{ role: "tool", content: resultText(value), loss: false, tool_call_id: id }],
    ),
    ...calls.flatMap((made): TrajectoryMessage[] =>
      made.end === undefined || made.result === undefined
        ? []
        : [{ role: "tool", content: inputText(textResult(made, made.result)), loss: false }],
    ),
  ];
}

/** The result of a call in the text, as the model of its dialect reads it. */
function textResult(
  { id, name, arguments: text, extras }: RecordCall,
  value: ToolReturnValue,
): ContentPart[] {
  if (name !== FOLLOW_UP) return resultInText({ extras }, value);
  return kiloResultInText({ type: "function", id, function: { name, arguments: text }, extras }, value);
}
