import type { HookEvent, RequestPayload, RequestResponseInput } from "@askwire/protocol";
import type { RequestContext } from "./handlers.js";
import type { WhileOpen } from "./while-open.js";

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

const hookId = (index: number) => `hook-${index + 1}`;

/** Answers hook requests by the subscription that they name (P-CLI-6). */
export function hookAnswers(
  hooks: readonly ClientHook[],
  whileOpen: WhileOpen,
  report: (problem: string) => void,
) {
  return async (view: HookView): Promise<RequestResponseInput<"HookRequest">> => {
    const request_id = view.id;
    const hook = hooks.find((_hook, index) => hookId(index) === view.subscription_id);
    try {
      if (hook === undefined) throw new Error(`no subscription "${view.subscription_id}"`);
      const reply = await whileOpen(view.id, "", async (signal) => hook.run(view, { signal }));
      if (typeof reply === "object" && typeof reply.block === "string")
        return { request_id, action: "block", reason: reply.block };
      if (reply !== undefined && reply !== "allow") throw new Error('expected "allow" or {block: reason}');
    } catch (error) {
      const action = hook?.onFailure ?? "allow";
      report(`hook ${view.event}: ${error}: it ${action}s`);
      if (action === "block") return { request_id, action, reason: `the hook failed: ${error}` };
    }
    return { request_id, action: "allow" };
  };
}
