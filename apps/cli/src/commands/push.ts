import type { AskwireServer } from "@askwire/server";
import type { DeviceRequest, DeviceRequests } from "@askwire/server/websocket";
import type { Push } from "../push/open-push.js";
import { pageContact } from "../push/push-contact.js";
import { devicesFolder, hasSubscriptions } from "../reach/kept-devices.js";
import type { NotifyText } from "../reach/notice.js";
import { watchGathered } from "./gathered.js";

export interface PushOptions {
  /** The folder of the devices and the keys. */
  readonly share: string;
  readonly text: NotifyText;
  /** Hosts that the operator named, besides the known push services. */
  readonly hosts: readonly string[];
  /** Whom a push service may turn to. Default: the address of the page. */
  readonly contact?: string | undefined;
  readonly tell: (line: string) => void;
}

/** The page whose devices are sent messages. */
export interface PushedPage {
  /** The address that a browser has it from. */
  readonly origin: string;
  /** True for the origin of a page of this server. */
  isOwn(origin: string): boolean;
}

/** Push messages of a server, which load once a device has or wants a subscription. */
export interface ServedPush {
  /** The answers to paired devices at `/push`. */
  readonly requests: DeviceRequests;
  /** Begins to send messages. @returns ends it. */
  begin(page: PushedPage): () => void;
}

/** Push messages for the requests of a server. */
export function pushOf(
  server: AskwireServer,
  { share, text, hosts, contact, tell }: PushOptions,
): ServedPush {
  const folder = devicesFolder(share);
  const ends: (() => void)[] = [];
  let begun = (_page: PushedPage) => {};
  const beginning = new Promise<PushedPage>((resolve) => (begun = resolve));
  let loaded: Promise<Push> | undefined;

  async function open(): Promise<Push> {
    const { origin, isOwn } = await beginning;
    const { openPush } = await import("../push/open-push.js");
    const named = contact ?? pageContact(origin);
    const push = openPush({ server, share, folder, text, hosts, contact: named, isOwn, tell });
    ends.push(watchGathered(server, push.notices.look), push.notices.close);
    // Requests of an earlier process may be open.
    push.notices.look();
    return push;
  }

  /** Loads once. What failed, such as a disk that cannot be written, is tried again by the next request. */
  function load(): Promise<Push> {
    loaded ??= open().catch((error: Error) => {
      loaded = undefined;
      tell(`push: ${error.message}`);
      throw error;
    });
    return loaded;
  }

  async function answer(request: DeviceRequest) {
    const { answer } = await load();
    try {
      return await answer(request);
    } catch (error) {
      tell(`push: ${(error as Error).message}`);
      throw error;
    }
  }

  return {
    requests: { "/push": answer },
    begin(page) {
      begun(page);
      if (hasSubscriptions(folder)) void load().catch(() => {});
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
