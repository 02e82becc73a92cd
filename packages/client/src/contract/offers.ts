import type { ContentPartInput, DisplayBlockInput, HookEvent, RequestPayload } from "@askwire/protocol";
import type { RequestContext } from "./handlers.js";

/** The result of an external tool. A string, or content parts alone, are the `output`. */
export type ExternalToolOutput =
  | string
  | readonly ContentPartInput[]
  | {
      /** The output for the model. */
      readonly output: string | readonly ContentPartInput[];
      /** An explanation of the output for the model. Default: empty. */
      readonly message?: string;
      /** Blocks for the person to see. Default: none. */
      readonly display?: readonly DisplayBlockInput[];
      /** Marks a failure. Default: false. */
      readonly is_error?: boolean;
      /** Data for programs, not shown to the model. Default: null. */
      readonly extras?: Readonly<Record<string, unknown>> | null;
    };

/** The circumstances of one call of a {@link ClientTool}. */
export interface ExternalToolContext {
  /**
   * Aborted when the result no longer counts: the turn ended, or the connection closed. The call is then answered
   * without a result.
   */
  readonly signal: AbortSignal;
  /** The id of the call. Models reuse ids in later turns. */
  readonly toolCallId: string;
  /** The arguments as the model wrote them; null without arguments. */
  readonly argumentsText: string | null;
}

/** A tool that this client brings to the agent (P-CLI-5). */
export interface ClientTool {
  /** The name by which the model calls the tool. The server rejects a taken name (P-EXT-2). */
  readonly name: string;
  /** The purpose of the tool, for the model. */
  readonly description: string;
  /** The JSON Schema of the arguments, an object's. The server checks the model's arguments; this client does not. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Runs one call. Other messages are handled meanwhile.
   *
   * @param args the parsed arguments, always an object: `{}` if the model gave none.
   * @throws any error; the model is told its message.
   */
  run(
    args: Record<string, unknown>,
    context: ExternalToolContext,
  ): ExternalToolOutput | PromiseLike<ExternalToolOutput>;
}

/** The request to a hook: the `event`, its `target` (for example a tool's name) and `input_data`. */
export type HookView = RequestPayload<"HookRequest">;

/**
 * The answer of a hook. No answer and `"allow"` let the agent continue; `block` stops the agent, with a reason for the
 * model.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
export type HookReply = "allow" | { readonly block: string } | undefined | void;

/**
 * A say in the agent's actions. A hook that throws or answers too late allows the action, unless `onFailure` says
 * otherwise (P-CLI-6).
 */
export interface ClientHook {
  /** The event to hear. An event unknown to the server is reported, and the hook is never called. */
  readonly event: HookEvent | (string & {});
  /** A regular expression over the target. Default: every target. */
  readonly matcher?: string;
  /** The server's patience for the answer, in whole seconds. Default: 30. */
  readonly timeout?: number;
  /** The answer if the hook fails. Also counts for a late answer, if the server knows the word. Default: `allow`. */
  readonly onFailure?: "allow" | "block";
  /**
   * Answers a hook request.
   *
   * @param context its `signal` is aborted when the answer no longer counts.
   */
  run(input: HookView, context: Pick<RequestContext, "signal">): HookReply | PromiseLike<HookReply>;
}
