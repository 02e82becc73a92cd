import type { HookEvent, ToolCall, UserInput } from "@askwire/protocol";
import { providerErrorType } from "../agent/model.js";
import type { HookDetails } from "../agent/turn-hooks.js";

/** Characters of a tool's output that a hook is told. */
const MAX_OUTPUT = 2000;

/** The words of an event for a hook: the text for its matcher, and the event's own part of `input_data`. */
interface HookWords<E extends HookEvent> {
  target(details: HookDetails[E]): string;
  input(details: HookDetails[E]): Record<string, unknown>;
}

/** The words of Kimi's hooks for each event (P-HOK-5). */
export const hookWords: { readonly [E in HookEvent]: HookWords<E> } = {
  PreToolUse: {
    target: ({ toolCall }) => toolCall.function.name,
    input: ({ toolCall }) => ({ ...toolWords(toolCall), tool_call_id: toolCall.id }),
  },
  PostToolUse: {
    target: ({ toolCall }) => toolCall.function.name,
    input: ({ toolCall, value }) => ({
      ...toolWords(toolCall),
      tool_output: textOf(value.output).slice(0, MAX_OUTPUT),
      tool_call_id: toolCall.id,
    }),
  },
  PostToolUseFailure: {
    target: ({ toolCall }) => toolCall.function.name,
    input: ({ toolCall, value }) => ({
      ...toolWords(toolCall),
      error: value.message === "" ? textOf(value.output).slice(0, MAX_OUTPUT) : value.message,
      tool_call_id: toolCall.id,
    }),
  },
  UserPromptSubmit: {
    target: ({ prompt }) => textOf(prompt),
    input: ({ prompt }) => ({ prompt: textOf(prompt) }),
  },
  Stop: { target: () => "", input: ({ stopHookActive }) => ({ stop_hook_active: stopHookActive }) },
  StopFailure: {
    target: ({ error }) => errorType(error),
    input: ({ error, told }) => ({
      error_type: errorType(error),
      error_message: told instanceof Error ? told.message : String(told),
    }),
  },
  SessionStart: { target: ({ source }) => source, input: ({ source }) => ({ source }) },
  SessionEnd: { target: ({ reason }) => reason, input: ({ reason }) => ({ reason }) },
  SubagentStart: {
    target: ({ agentName }) => agentName,
    input: ({ agentName, prompt }) => ({ agent_name: agentName, prompt: textOf(prompt) }),
  },
  SubagentStop: {
    target: ({ agentName }) => agentName,
    input: ({ agentName, response }) => ({ agent_name: agentName, response }),
  },
  PreCompact: {
    target: ({ trigger }) => trigger,
    input: ({ trigger, tokenCount }) => ({ trigger, token_count: tokenCount }),
  },
  PostCompact: {
    target: ({ trigger }) => trigger,
    input: ({ trigger, estimatedTokenCount }) => ({ trigger, estimated_token_count: estimatedTokenCount }),
  },
  Notification: {
    target: ({ notificationType }) => notificationType,
    input: ({ sink, notificationType, title, body, severity }) => ({
      sink,
      notification_type: notificationType,
      title,
      body,
      severity,
    }),
  },
};

function toolWords({ function: { name, arguments: text } }: ToolCall): Record<string, unknown> {
  return { tool_name: name, tool_input: readObject(text) };
}

/** Reads arguments. The tool itself refuses arguments that are no object, and a hook sees none. */
function readObject(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** The text of it: other parts are left out. */
function textOf(input: UserInput): string {
  if (typeof input === "string") return input;
  return input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

const errorType = (error: unknown) =>
  providerErrorType(error) ?? (error instanceof Error ? error.name : typeof error);
