import { type AskwireServer, systemClock } from "@askwire/server";
import type { DeviceRequests } from "@askwire/server/websocket";
import { applicationKeys } from "./application-keys.js";
import { keptSubscriptions } from "./kept-subscriptions.js";
import { type PushDoorOptions, pushDoor } from "./push-door.js";
import { type PushNotices, pushNotices } from "./push-notices.js";
import { type PushSenderOptions, pushSender } from "./push-sender.js";
import { visiblePages } from "./visible-pages.js";

/** The push messages of a server, and the answers to devices about them. */
export interface Push {
  readonly answer: DeviceRequests[string];
  readonly notices: PushNotices;
}

export interface OpenPushOptions
  extends Pick<PushDoorOptions, "text" | "hosts" | "isOwn">,
    Pick<PushSenderOptions, "contact"> {
  readonly server: AskwireServer;
  /** The folder of the keys. */
  readonly share: string;
  /** The folder of the devices. */
  readonly folder: string;
  readonly tell: (line: string) => void;
}

/**
 * Puts the parts together.
 *
 * @throws Failure or the system's error where the keys cannot be read or made.
 */
export function openPush({
  server,
  share,
  folder,
  text,
  hosts,
  contact,
  isOwn,
  tell,
}: OpenPushOptions): Push {
  const keys = applicationKeys(share);
  const subscriptions = keptSubscriptions(folder);
  const sender = pushSender({ keys, hosts, contact });
  const clock = systemClock;
  const visible = visiblePages(clock.elapsed);
  const parts = { subscriptions, sender, visible, text, isOwn };
  const notices = pushNotices({ ...parts, server, clock, tell });
  return {
    notices,
    answer: pushDoor({ ...parts, publicKey: keys.publicKey, notices, hosts, elapsed: clock.elapsed }),
  };
}
