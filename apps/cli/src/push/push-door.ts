import { BoundedMap, defined } from "@askwire/protocol/internal";
import type { DeviceRequest, JsonAnswer } from "@askwire/server/websocket";
import * as z from "zod/mini";
import type { NotifyText } from "../reach/notice.js";
import { Endpoint, type KeptSubscriptions, PushChoices } from "./kept-subscriptions.js";
import { allowedEndpoint } from "./push-hosts.js";
import type { PushNotices } from "./push-notices.js";
import type { PushSender } from "./push-sender.js";
import { testMessage } from "./push-text.js";
import type { VisiblePages } from "./visible-pages.js";

/** The most requests that a page says it has shown. */
const MOST_SEEN = 200;

/** A device's words to the server about its subscription. */
const Asked = z.discriminatedUnion("do", [
  z.object({ do: z.literal("look") }),
  z.extend(Endpoint, { do: z.literal("subscribe"), language: PushChoices.shape.language }),
  z.object({ do: z.literal("unsubscribe") }),
  z.extend(z.partial(PushChoices), { do: z.literal("choose") }),
  z.object({ do: z.literal("test") }),
  z.object({
    do: z.literal("visible"),
    /** A name that the page made up for itself. */
    page: z.string().check(z.maxLength(64)),
    visible: z.boolean(),
    /** The ids of the requests that a page has shown which is hidden now. */
    seen: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(MOST_SEEN))),
  }),
]);
type Asked = z.output<typeof Asked>;

/** The time between two tests of a device, in milliseconds, and the most devices for which it is remembered. */
const TEST_MS = 5_000;
const MOST_DEVICES = 1_000;

export interface PushDoorOptions {
  /** The public key by which browsers subscribe. */
  readonly publicKey: string;
  readonly subscriptions: KeptSubscriptions;
  readonly sender: PushSender;
  readonly visible: VisiblePages;
  readonly notices: PushNotices;
  readonly text: NotifyText;
  /** Hosts that the operator named, besides the known push services. */
  readonly hosts: readonly string[];
  /** True for the origin of a page of this server. */
  readonly isOwn: (origin: string) => boolean;
  readonly elapsed: () => number;
}

const refusal = (status: number, reason: string): JsonAnswer => ({ status, body: { error: reason } });

/** Answers what paired devices ask about their own subscriptions. The device is the one of the token, whatever is said. */
export function pushDoor(options: PushDoorOptions): (request: DeviceRequest) => Promise<JsonAnswer> {
  const { subscriptions, visible, notices, sender, isOwn, hosts, elapsed } = options;
  /** The times of the last tests, by device. */
  const tested = new BoundedMap<string, number>(MOST_DEVICES);

  function stateOf(device: string): JsonAnswer {
    const kept = subscriptions.of(device);
    const subscription =
      kept === undefined
        ? null
        : {
            endpoint: kept.endpoint,
            language: kept.language,
            quiet: kept.quiet,
            muted: kept.muted,
          };
    return { status: 200, body: { key: options.publicKey, text: options.text, subscription } };
  }

  function subscribe(
    device: string,
    origin: string | undefined,
    { endpoint, keys, language }: Extract<Asked, { do: "subscribe" }>,
  ): JsonAnswer {
    // The page of another server, which may connect, has a service worker of that server.
    if (origin === undefined || !isOwn(origin)) return refusal(403, "origin");
    if (allowedEndpoint(endpoint, hosts) === undefined) return refusal(403, "host");
    const { quiet = null, muted = [] } = subscriptions.of(device) ?? {};
    if (!subscriptions.keep({ device, endpoint, keys, origin, language, quiet, muted }))
      return refusal(409, "taken");
    notices.look();
    return stateOf(device);
  }

  async function test(device: string): Promise<JsonAnswer> {
    const to = subscriptions.of(device);
    if (to === undefined) return refusal(409, "unsubscribed");
    if (elapsed() - (tested.get(device) ?? Number.NEGATIVE_INFINITY) < TEST_MS)
      return refusal(429, "too_soon");
    tested.delete(device);
    tested.set(device, elapsed());
    const result = await sender.send(to, testMessage(to), () => subscriptions.of(device) !== undefined);
    if (result === "sent") return stateOf(device);
    if (result !== "gone") return refusal(502, result.failed);
    subscriptions.remove(device, to.endpoint);
    return refusal(409, "unsubscribed");
  }

  return async ({ device: { id: device }, origin, body }) => {
    const read = Asked.safeParse(body);
    if (!read.success) return refusal(400, "not_understood");
    const asked = read.data;
    switch (asked.do) {
      case "look":
        return stateOf(device);
      case "subscribe":
        return subscribe(device, origin, asked);
      case "unsubscribe":
        subscriptions.remove(device);
        return stateOf(device);
      case "choose": {
        const { do: _, ...choices } = asked;
        const kept = subscriptions.of(device);
        if (kept === undefined) return refusal(409, "unsubscribed");
        subscriptions.keep({ ...kept, ...defined(choices) });
        notices.look();
        return stateOf(device);
      }
      case "test":
        return test(device);
      case "visible": {
        visible.report(device, asked.page, asked.visible);
        notices.seen(device, asked.seen ?? []);
        if (!asked.visible) notices.look();
        return { status: 200, body: {} };
      }
    }
  };
}
