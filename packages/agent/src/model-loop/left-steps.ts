import type { ContentPart, StatusUpdate, ToolCall, ToolResult, UserInput } from "@askwire/protocol";
import type { Message, ToldEvent, Tool } from "@askwire/server";
import { interruptedResult } from "@askwire/server/internal";
import type { LeftStep } from "./left-step.js";
import { append, extend, resultMessages, spokenMessage } from "./model-step.js";

/** The steps of a turn that earlier processes left; the first, of the number 0, has its input. */
export interface LeftSteps {
  readonly steps: readonly LeftStep[];
  /** The number of calls by their ids. */
  readonly numbers: Map<string, number>;
}

/** Reads the steps of a turn from what clients were told. */
export function leftSteps(events: readonly ToldEvent[], tools: readonly Tool[]): LeftSteps {
  const steps: LeftStep[] = [];
  const numbers = new Map<string, number>();
  let step = newStep(0);
  let planMode: boolean | undefined;

  const last = () => step.calls.at(-1);
  /** A call is whole once something else of the answer follows it. */
  const endCall = () => {
    const call = last();
    if (call !== undefined) call.isWhole = true;
  };
  const takes: Readonly<Record<string, (payload: never) => void>> = {
    TurnBegin({ user_input }: { user_input: UserInput }) {
      step.said.push(user_input);
      steps.push(step);
    },
    StepBegin({ n }: { n: number }) {
      step.isSpoken = true;
      step = newStep(n);
      steps.push(step);
    },
    StepRetry() {
      step.content = [];
      step.calls = [];
    },
    ContentPart(part: ContentPart) {
      endCall();
      append(step.content, part);
    },
    ToolCall(call: ToolCall) {
      endCall();
      const nth = (numbers.get(call.id) ?? 0) + 1;
      numbers.set(call.id, nth);
      const tool = tools.find(({ name }) => name === call.function.name);
      const copy = { ...call, function: { ...call.function } };
      step.calls.push({ call: copy, nth, inText: tool?.inText, result: undefined, isWhole: false });
      const written = call.extras?.written;
      if (typeof written === "string") append(step.content, { type: "text", text: written });
    },
    ToolCallPart({ arguments_part }: { arguments_part: string | null }) {
      const call = last();
      if (call !== undefined) extend(call.call, arguments_part);
    },
    StatusUpdate({ plan_mode, token_usage, message_id }: StatusUpdate) {
      const isSure = token_usage !== null || message_id !== null;
      if (isSure) endCall();
      step.isSpoken ||= isSure;
      step.mayBeSpoken ||= plan_mode === (planMode ?? plan_mode);
      planMode = plan_mode ?? planMode;
    },
    ToolResult({ tool_call_id, return_value }: ToolResult) {
      const call = step.calls.find(({ call, result }) => call.id === tool_call_id && result === undefined);
      if (call === undefined) return;
      call.result = return_value;
      call.isWhole = true;
    },
    SteerInput({ user_input }: { user_input: UserInput }) {
      step.said.push(user_input);
    },
    HookResolved({ event, action, reason }: { event: string; action: string; reason: string }) {
      if (event === "Stop" && action === "block") step.said.push(reason);
    },
  };
  for (const { type, payload } of events) if (Object.hasOwn(takes, type)) takes[type]?.(payload as never);
  return { steps, numbers };
}

const newStep = (n: number): LeftStep => ({
  n,
  content: [],
  calls: [],
  isSpoken: false,
  mayBeSpoken: false,
  said: [],
});

/** The messages of a step that is over: the model's, the results of its calls, and what persons said. */
export function leftMessages({ content, calls, said }: LeftStep): Message[] {
  const done = calls.map((call) => ({ ...call, result: call.result ?? interruptedResult }));
  const isEmpty = content.length === 0 && calls.length === 0;
  return [
    ...(isEmpty ? [] : [spokenMessage({ content, calls }), ...resultMessages(done)]),
    ...saidMessages(said),
  ];
}

export const saidMessages = (said: readonly UserInput[]): Message[] =>
  said.map((content) => ({ role: "user", content }));
