import { createHash } from "node:crypto";
import { pushWords } from "@askwire/client/push-words";
import type { PersonRequest } from "@askwire/server";
import { type NotifyText, noticeOf, short } from "../reach/notice.js";
import type { Subscription } from "./kept-subscriptions.js";
import type { PushMessage } from "./push-sender.js";

/** The content of a message, as the page's service worker reads it. */
export interface PushText {
  /** `settled` takes the notification of `asked` back. */
  readonly event: "asked" | "settled" | "test";
  /** The id of the request, by which a notification is found again. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  /** The session that a new window opens; empty for a test. */
  readonly session: string;
  /** True where the browser ends the subscription after messages that show nothing. */
  readonly mustShow: boolean;
}

/** The most UTF-16 units of title and body. With the ids they stay below the 3,000 bytes of a message. */
const MOST_TITLE = 160;
const MOST_BODY = 480;
/** Seconds that a service keeps a message of a request without a deadline. */
const DAY_S = 86_400;
/** Seconds that it keeps a test. */
const TEST_S = 60;

/** Safari ends a subscription after three messages without a notification. */
const mustShow = ({ endpoint }: Subscription) => new URL(endpoint).hostname.endsWith(".push.apple.com");

/** The messages of a request for one device: that it is asked, and that it is settled. */
export function messagesOf(
  request: PersonRequest,
  to: Subscription,
  { session, text, now }: { readonly session: string; readonly text: NotifyText; readonly now: number },
): { readonly asked: PushMessage; readonly settled: PushMessage } {
  const words = pushWords[to.language];
  const { id, title, body, options, deadline } = noticeOf(request, {
    ...{ session, text, url: undefined },
    titleOf: words.asked,
  });
  const seconds = deadline === undefined ? DAY_S : Math.ceil((Date.parse(deadline) - now) / 1_000);
  const place = {
    ttl: Math.min(DAY_S, Math.max(0, seconds)),
    topic: createHash("sha256").update(id).digest("base64url").slice(0, 32),
  };
  const shown = { tag: id, session, mustShow: mustShow(to) };
  const line = short(title, MOST_TITLE);
  const whole = short([body, options.join(" · ")].filter((part) => part !== "").join("\n"), MOST_BODY);
  return {
    asked: { ...place, text: write({ ...shown, event: "asked", title: line, body: whole }) },
    settled: { ...place, text: write({ ...shown, event: "settled", title: words.settled, body: line }) },
  };
}

/** A message that says that messages arrive. */
export function testMessage(to: Subscription): PushMessage {
  const text = { tag: "test", title: "Askwire", body: pushWords[to.language].tested, session: "" };
  return {
    ...{ ttl: TEST_S, topic: "test" },
    text: write({ ...text, event: "test", mustShow: mustShow(to) }),
  };
}

const write = (text: PushText) => JSON.stringify(text);
