// The AI SDK, in its versions 6 and 7: `@askwire/adapters/ai-sdk`.
import type { QuestionInput } from "@askwire/protocol";
import { checkOptions, defined, option } from "@askwire/protocol/internal";
import { type ApproveCallOptions, approveCall, type CallToApprove, callRules } from "./approve-call.js";
import { askForCall, type NoReply, type QuestionsReply } from "./ask-questions.js";
import type { AskingSession } from "./asking-session.js";

export type { ApproveCallOptions, CallToApprove } from "./approve-call.js";
export type { NoReply, QuestionsReply } from "./ask-questions.js";
export type { AskingSession } from "./asking-session.js";

/** The options of what asks in a run of the AI SDK. */
export interface AiSdkOptions extends ApproveCallOptions {
  /**
   * The name of the conversation, which no other one has. With the id of a call it names the ask: the same call is
   * asked once, also after a restart, and a call of another conversation is another ask though its id is the same.
   */
  readonly run: string;
}

const rules = { ...callRules, run: option.required(option.text) };

/** The options of an approval that waits. */
export interface AiSdkApprovalOptions extends AiSdkOptions {
  /** True for the calls that people approve; the others run unasked. Default: all calls. */
  readonly only?: (call: CallToApprove) => boolean;
}

/** The decision on a call, in the words of AI SDK 7: undefined runs it unasked. */
export type AiSdkDecision =
  | undefined
  | { readonly type: "approved" }
  | { readonly type: "denied"; readonly reason: string };

/** A call as the AI SDK tells it. */
interface AiSdkCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

const callOf = ({ toolCallId: id, toolName: name, input }: AiSdkCall): CallToApprove => ({ id, name, input });

/**
 * Makes the `toolApproval` of AI SDK 7, which waits for people. A call that they did not approve is denied, and the
 * model reads why. It is not told when its stream is aborted: give `signal` what you give as `abortSignal`.
 *
 * @throws TypeError for options that do not fit.
 */
export function aiSdkApproval(session: AskingSession, options: AiSdkApprovalOptions) {
  checkOptions("aiSdkApproval", options, { ...rules, only: option.callable });
  const { run, only = () => true, ...how } = options;
  return async ({ toolCall }: { readonly toolCall: AiSdkCall }): Promise<AiSdkDecision> => {
    const call = callOf(toolCall);
    if (!only(call)) return undefined;
    const { approved, words } = await approveCall(session, [run, call.id], call, how);
    if (approved) return { type: "approved" };
    return { type: "denied", reason: words.message };
  };
}

/** A message of the AI SDK, of which the parts of approvals are read. */
export interface AiSdkMessage {
  readonly role: string;
  readonly content: unknown;
}

/** The answer to a request for an approval. */
export interface AiSdkApprovalResponse {
  type: "tool-approval-response";
  approvalId: string;
  approved: boolean;
  reason?: string;
  providerExecuted?: boolean;
}

interface Part {
  readonly type?: unknown;
  readonly approvalId?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly providerExecuted?: boolean;
}

/**
 * Puts the calls to people for which a conversation waits, with `needsApproval` of AI SDK 6 or `user-approval` of 7. The
 * messages may come from JSON, in another process.
 *
 * @param messages the whole conversation.
 * @returns the message to add to it, with the decision on every call, since the SDK refuses a part of them; undefined
 * where it waits for none.
 * @throws TypeError for options that do not fit, and for a request without its call.
 */
export async function aiSdkApprovalMessage(
  session: AskingSession,
  messages: readonly AiSdkMessage[],
  options: AiSdkOptions,
): Promise<{ role: "tool"; content: AiSdkApprovalResponse[] } | undefined> {
  checkOptions("aiSdkApprovalMessage", options, rules);
  const { run, ...how } = options;
  const parts = messages.flatMap(({ content }): Part[] => (Array.isArray(content) ? content : []));
  const answered = new Set(ofType(parts, "tool-approval-response").map(({ approvalId }) => approvalId));
  const open = ofType(parts, "tool-approval-request").filter(({ approvalId }) => !answered.has(approvalId));
  if (open.length === 0) return undefined;
  const calls = open.map((request) => callOfRequest(request, parts));
  const content = await Promise.all(
    calls.map(async ({ approvalId, call, providerExecuted }): Promise<AiSdkApprovalResponse> => {
      const { approved, words } = await approveCall(session, [run, call.id], call, how);
      return {
        ...{ type: "tool-approval-response", approvalId, approved },
        ...defined({ reason: words?.message, providerExecuted }),
      };
    }),
  );
  how.signal?.throwIfAborted();
  return { role: "tool", content };
}

const ofType = (parts: readonly Part[], type: string) => parts.filter((part) => part?.type === type);

function callOfRequest({ approvalId, toolCallId }: Part, parts: readonly Part[]) {
  const call = ofType(parts, "tool-call").findLast((part) => part.toolCallId === toolCallId);
  if (approvalId === undefined || toolCallId === undefined || call?.toolName === undefined) {
    throw new TypeError(
      `aiSdkApprovalMessage: messages: the call ${JSON.stringify(toolCallId)} of an approval is not there; give the whole conversation`,
    );
  }
  const { toolName: name, input, providerExecuted } = call;
  return { approvalId, call: { id: toolCallId, name, input }, providerExecuted };
}

/** The part of the options of an `execute` that is read. */
export interface AiSdkToolOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * Makes the `execute` of a tool with which a model asks people. Its result has the `answers`, or a `message` that says
 * why there are none: nothing is thrown for a question without an answer. Aborting the run withdraws the question.
 *
 * @throws TypeError for options that do not fit.
 */
export function aiSdkAsk(session: AskingSession, options: Pick<AiSdkOptions, "run" | "signal">) {
  checkOptions("aiSdkAsk", options, { run: rules.run, signal: rules.signal });
  const { run, signal: own } = options;
  return async (
    { questions }: { readonly questions: readonly QuestionInput[] },
    { toolCallId, abortSignal }: AiSdkToolOptions,
  ): Promise<QuestionsReply | NoReply> => {
    return askForCall(session, [run, toolCallId], questions, own, abortSignal);
  };
}
