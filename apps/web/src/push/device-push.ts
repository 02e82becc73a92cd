import type { Language } from "@askwire/client/words";
import type { Notices } from "../attention/notices.js";
import type { Box } from "../kept/box.js";
import type { Credentials } from "../kept/credentials.js";
import type { PushCalls, PushRefusal, PushState } from "./push-calls.js";
import { PUSH_MARK } from "./was-on.js";

/** The reason why push notifications could not be turned on. */
export type PushProblem = PushRefusal["refused"] | "denied" | "unsupported" | "browser";

export interface DevicePushOptions {
  readonly notices: Pick<Notices, "permit" | "worker">;
  readonly calls: PushCalls;
  readonly credentials: Pick<Credentials, "remember">;
  /** Outlives the tab. */
  readonly device: Pick<Box, "set" | "remove">;
}

/** Turns push notifications to this device on, after a press. It is remembered for that: each message leads back here. */
export async function turnOn(
  { key, language }: { readonly key: string; readonly language: Language },
  { notices, calls, credentials, device }: DevicePushOptions,
): Promise<PushState | { readonly problem: PushProblem; readonly host?: string }> {
  if (!(await notices.permit())) return { problem: "denied" };
  const worker = await notices.worker();
  if (worker?.pushManager === undefined) return { problem: "unsupported" };
  const { pushManager } = worker;
  const subscribe = async () => {
    const { endpoint = "", keys = {} } = (await newSubscription(pushManager, key)).toJSON();
    return { endpoint, reply: await calls({ do: "subscribe", endpoint, keys, language }) };
  };
  try {
    let { endpoint, reply } = await subscribe();
    if ("refused" in reply && reply.refused === "taken") {
      // The browser was paired anew, and its subscription is the last device's: another one is nobody's.
      await (await pushManager.getSubscription())?.unsubscribe();
      ({ endpoint, reply } = await subscribe());
    }
    if ("refused" in reply) return { problem: reply.refused, host: new URL(endpoint).host };
    device.set(PUSH_MARK, "on");
    credentials.remember(true);
    return reply;
  } catch {
    return { problem: "browser" };
  }
}

/** Subscribes by a key, also where the browser has a subscription by another. */
async function newSubscription(pushManager: PushManager, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    if ((error as DOMException).name !== "InvalidStateError") throw error;
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  }
}

/** Turns them off: at the server, if it can be reached, and in the browser, which then refuses every message. */
export async function turnOff({
  notices,
  calls,
  device,
}: Omit<DevicePushOptions, "credentials">): Promise<PushState | PushRefusal> {
  device.remove(PUSH_MARK);
  const reply = await calls({ do: "unsubscribe" });
  try {
    const worker = await notices.worker();
    await (await worker?.pushManager?.getSubscription())?.unsubscribe();
  } catch {
    // A browser that no longer has a subscription is off.
  }
  return reply;
}
