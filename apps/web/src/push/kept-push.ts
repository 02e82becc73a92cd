import type { Language } from "@askwire/client/words";
import type { Notices } from "../attention/notices.js";
import type { Box } from "../kept/box.js";
import type { Credentials } from "../kept/credentials.js";
import { turnOff, turnOn } from "./device-push.js";
import { pushCalls } from "./push-calls.js";
import { tellVisibility } from "./visibility.js";

export interface KeptPushOptions {
  readonly notices: Pick<Notices, "permit" | "worker">;
  readonly credentials: Pick<Credentials, "token" | "remember" | "remembered">;
  readonly device: Box;
  readonly request: typeof fetch;
  readonly language: Language;
  /** The ids of the requests that the page shows. */
  readonly shown: () => readonly string[];
}

/**
 * Keeps the subscription of this device: it is renewed where the browser or the server has another or none, and ends
 * with the token. Meanwhile the server hears whether the page is visible.
 */
export default async function keepPush(options: KeptPushOptions): Promise<void> {
  const { credentials, request, language } = options;
  // The last token still ends the subscription that it made.
  let token = credentials.token();
  const calls = pushCalls(() => token, request);
  const parts = { ...options, calls };
  if (token === undefined) return void (await turnOff(parts));
  const end = tellVisibility(calls, document, options.shown);
  const leave = async () => {
    end();
    await turnOff(parts);
  };
  const unwatch = credentials.remembered.subscribe(() => {
    const next = credentials.token();
    if (next !== undefined) token = next;
    else {
      unwatch();
      void leave();
    }
  });
  const state = await calls({ do: "look" });
  if ("refused" in state) return state.refused === "unpaired" ? leave() : undefined;
  const worker = await options.notices.worker();
  const own = await worker?.pushManager?.getSubscription().catch(() => null);
  const { subscription, key } = state;
  if (own?.endpoint !== subscription?.endpoint || subscription === null)
    await turnOn({ key, language }, parts);
  else if (subscription.language !== language) await calls({ do: "choose", language });
}
