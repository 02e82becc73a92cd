import type { Outcome } from "@askwire/protocol";
import {
  type AnyInteraction,
  ApprovalRequest,
  type QuestionAnswer,
  QuestionRequest,
  type Settlement,
} from "../../src/index.js";
import type { Recipient } from "../../src/requests/core.js";
import { ExternalToolCall } from "../../src/requests/external-tool-call.js";
import { HookCall } from "../../src/requests/hook-call.js";
import { outcomeNow } from "../../src/requests/interaction.js";

/** A question with two options. */
export function question(): QuestionRequest {
  return new QuestionRequest({
    tool_call_id: "tc-1",
    questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }],
  });
}

export function approval(action = "run command"): ApprovalRequest {
  return new ApprovalRequest({ tool_call_id: "tc-1", sender: "Shell", action, description: "ls" });
}

/** A call of a tool that a client brought. */
export function toolCall(recipientId: string, id = "tc-1"): ExternalToolCall {
  return new ExternalToolCall({ recipientId, tool_call_id: id, name: "Weather", arguments: "{}" });
}

/** A hook of a client's, asked about a tool call. */
export function hookCall(recipientId: string): HookCall {
  const input_data = { hook_event_name: "PreToolUse", tool_call_id: "tc-1" };
  return new HookCall({
    recipientId,
    subscription_id: "h1",
    event: "PreToolUse",
    target: "Shell",
    input_data,
  });
}

/** A settlement by a client that chose `value`. */
export function chose(value: string): Settlement<QuestionAnswer> {
  return {
    outcome: outcomeNow("answered", { by: "human" }),
    answer: { answers: { "Which?": value }, items: [] },
  };
}

export const dismissal = (): Settlement<never> => ({
  outcome: outcomeNow("declined", { reason: "dismissed", by: "human" }),
});

export const ended = (): Outcome => outcomeNow("withdrawn", { reason: "interrupted", by: "human" });

/** An outcome in a word: `unavailable/client_lost`. */
export function word(outcome: Outcome | undefined): string | undefined {
  return outcome === undefined
    ? undefined
    : outcome.status + (outcome.reason === undefined ? "" : `/${outcome.reason}`);
}

/** A client that keeps what it was shown and told. */
export interface Watcher extends Recipient {
  readonly shown: string[];
  readonly told: string[];
}

export function watcher(
  id: string,
  options: { canAsk?: boolean; onShow?: (request: AnyInteraction) => void } = {},
): Watcher {
  const { canAsk = true, onShow = () => {} } = options;
  const shown: string[] = [];
  const told: string[] = [];
  return {
    id,
    shown,
    told,
    canShow: (request) => canAsk || request.kind === "approval",
    show(request) {
      shown.push(request.id);
      onShow(request);
    },
    settled: (request) => void told.push(request.id),
  };
}
