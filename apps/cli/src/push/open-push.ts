import { type AskwireServer, systemClock } from "@askwire/server";
import type { DeviceRequests } from "@askwire/server/websocket";
import type { NotifyText } from "../reach/notice.js";
import { applicationKeys } from "./application-keys.js";
import { keptSubscriptions } from "./kept-subscriptions.js";
import { pushDoor } from "./push-door.js";
import { type PushNotices, pushNotices } from "./push-notices.js";
import { pushSender } from "./push-sender.js";
import { visiblePages } from "./visible-pages.js";

/** The push messages of a server, and the answers to devices about them. */
export interface Push {
  readonly answer: DeviceRequests[string];
  readonly notices: PushNotices;
}

export interface OpenPushOptions {
  readonly server: AskwireServer;
  /** The folder of the keys. */
  readonly share: string;
  /** The folder of the devices. */
  readonly folder: string;
  readonly text: NotifyText;
  /** Hosts that the operator named, besides the known push services. */
  readonly hosts: readonly string[];
  /** True for the origin of a page of this server. */
  readonly isOwn: (origin: string) => boolean;
  readonly tell: (line: string) => void;
}

/**
 * Puts the parts together.
 *
 * @throws Failure or the system's error where the keys cannot be read or made.
 */
export function openPush({ server, share, folder, text, hosts, isOwn, tell }: OpenPushOptions): Push {
  const keys = applicationKeys(share);
  const subscriptions = keptSubscriptions(folder);
  const sender = pushSender({ keys, hosts });
  const clock = systemClock;
  const visible = visiblePages(clock.elapsed);
  const parts = { subscriptions, sender, visible, text, isOwn };
  const notices = pushNotices({ ...parts, server, clock, tell });
  return {
    notices,
    answer: pushDoor({ ...parts, publicKey: keys.publicKey, notices, hosts, elapsed: clock.elapsed }),
  };
}
