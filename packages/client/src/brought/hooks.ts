import type { RequestResponseInput } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import type { Offered } from "../contract/offered.js";
import type { HookView } from "../contract/offers.js";
import type { UntilSettled } from "./until-settled.js";

/** Answers hook requests by the subscription that they name (P-CLI-6). */
export function hookAnswers(
  hookOf: Offered["hook"],
  untilSettled: UntilSettled,
  report: (problem: string) => void,
) {
  return async (view: HookView): Promise<RequestResponseInput<"HookRequest">> => {
    const request_id = view.id;
    const hook = hookOf(view.subscription_id);
    try {
      if (hook === undefined) throw new Error(`no subscription "${view.subscription_id}"`);
      const reply = await untilSettled(view.id, "", async (signal) => hook.run(view, { signal }));
      if (typeof reply === "object" && typeof reply.block === "string")
        return { request_id, action: "block", reason: reply.block };
      if (reply !== undefined && reply !== "allow") throw new Error('expected "allow" or {block: reason}');
    } catch (error) {
      const action = hook?.onFailure ?? "allow";
      report(`hook ${view.event}: ${errorText(error)}: it ${action}s`);
      if (action === "block") return { request_id, action, reason: `the hook failed: ${errorText(error)}` };
    }
    return { request_id, action: "allow" };
  };
}
