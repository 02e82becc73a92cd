import type { ContentPartInput, DisplayBlockInput, HookEvent, RequestPayload } from "@askwire/protocol";
import type { RequestContext } from "./handlers.js";

/** What an external tool gives back. A string or content parts alone are the `output`. */
export type ExternalToolOutput =
  | string
  | readonly ContentPartInput[]
  | {
      /** For the model. */
      readonly output: string | readonly ContentPartInput[];
      /** Explains the output to the model. Default: empty. */
      readonly message?: string;
      /** For the person. Default: none. */
      readonly display?: readonly DisplayBlockInput[];
      /** Default: false. */
      readonly is_error?: boolean;
      /** For programs: not shown to the model. Default: null. */
      readonly extras?: Readonly<Record<string, unknown>> | null;
    };

/** What a call of a {@link ClientTool} is run with. */
export interface ExternalToolContext {
  /** Aborted when the result no longer counts: the turn ended, the connection closed. The call is answered then. */
  readonly signal: AbortSignal;
  /** The id of the call. Models give the same one again in later turns. */
  readonly toolCallId: string;
}

/** A tool that this client brings to the agent (P-CLI-5). */
export interface ClientTool {
  /** What the model calls it by; the server rejects one that is taken (P-EXT-2). */
  readonly name: string;
  /** Tells the model what it is for. */
  readonly description: string;
  /** The JSON Schema of the arguments, an object's. The server holds a model to it; this side does not check it. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Runs one call; other messages are handled meanwhile.
   *
   * @param args the parsed arguments, always an object: `{}` where the model gave none.
   * @throws whatever went wrong: its message is told to the model.
   */
  run(
    args: Record<string, unknown>,
    context: ExternalToolContext,
  ): ExternalToolOutput | PromiseLike<ExternalToolOutput>;
}

/** What a hook is asked about: the `event`, its `target` (a tool's name, say) and `input_data`. */
export type HookView = RequestPayload<"HookRequest">;

/** Nothing and `"allow"` let the agent go on; `block` stops it, with the reason that the model reads. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
export type HookReply = "allow" | { readonly block: string } | undefined | void;

/** A word in what the agent does. Whatever fails allows, unless it says otherwise: a hook that throws, or that answers too late (P-CLI-6). */
export interface ClientHook {
  /** One that the server does not know is never asked about, and reported. */
  readonly event: HookEvent | (string & {});
  /** A regular expression over the target. Default: every target. */
  readonly matcher?: string;
  /** How long the server waits for the answer, in whole seconds. Default: 30. */
  readonly timeout?: number;
  /** What a hook comes to that fails; also one that is too late, where the server knows the word. Default: `allow`. */
  readonly onFailure?: "allow" | "block";
  /** @param context its `signal` is aborted when the answer no longer counts. */
  run(input: HookView, context: Pick<RequestContext, "signal">): HookReply | PromiseLike<HookReply>;
}

/** What `initialize` says of the hooks: each under an id by its position. */
export const subscriptions = (hooks: readonly ClientHook[]) =>
  hooks.map(({ event, matcher, timeout, onFailure: on_failure }, index) => ({
    id: hookId(index),
    event,
    matcher,
    timeout,
    on_failure,
  }));

/** The id under which a hook is subscribed, by its position. */
export const hookId = (index: number) => `hook-${index + 1}`;
