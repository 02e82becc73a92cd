import type { AskwireServer, Clock } from "@askwire/server";
import type { NotifyText } from "../reach/notice.js";
import { type NoticedRequest, noticedRequests } from "../reach/noticed-requests.js";
import type { KeptSubscriptions, Subscription } from "./kept-subscriptions.js";
import type { Pushed, PushSender } from "./push-sender.js";
import { messagesOf } from "./push-text.js";
import { isQuiet } from "./quiet-hours.js";
import type { VisiblePages } from "./visible-pages.js";

/** The time until requests that a device could not be told of are looked at again, in milliseconds. */
const AGAIN_MS = 20_000;
/** The most tries to tell a device of a request. */
const MOST_TRIES = 3;

/** Tells devices of requests, each once: as soon as nothing speaks against it, if the request is still open then. */
export interface PushNotices {
  /** Looks what is open, and tells of it or takes it back. */
  look(): void;
  /** Takes requests, by their ids, as seen by the person of a device. */
  seen(device: string, requests: readonly string[]): void;
  close(): void;
}

export interface PushNoticesOptions {
  readonly server: AskwireServer;
  readonly subscriptions: KeptSubscriptions;
  readonly sender: PushSender;
  readonly visible: VisiblePages;
  readonly text: NotifyText;
  /** True for the origin of a page of this server. Others are those of the person's other servers. */
  readonly isOwn: (origin: string) => boolean;
  readonly clock: Clock;
  /** Told the first failure. */
  readonly tell: (line: string) => void;
}

/** A request that a device was told of. */
interface Told {
  readonly request: string;
  readonly device: string;
  /** Takes the notification back. */
  settle(): void;
}

/** Tells devices of the requests of a server, at {@link PushNotices.look}. */
export function pushNotices({
  server,
  subscriptions,
  sender,
  visible,
  text,
  isOwn,
  clock,
  tell,
}: PushNoticesOptions): PushNotices {
  /** By request and device, as are the failures. */
  const told = new Map<string, Told>();
  const failures = new Map<string, number>();
  const openNow = noticedRequests(server);
  const marks = { hasFailed: false, isClosed: false, cancel: () => {} };

  function again(): void {
    marks.cancel();
    marks.cancel = clock.after(AGAIN_MS, look);
  }

  /** True while a device is not to be told of a session. */
  const isHeld = ({ device, quiet, muted }: Subscription, session: string) =>
    muted.includes(session) || visible.has(device) || (quiet !== null && isQuiet(quiet, clock.now()));

  /** True while the subscription stands, and so does its device. */
  const stands = ({ device, endpoint }: Subscription) => subscriptions.of(device)?.endpoint === endpoint;

  function begin(to: Subscription, { session, request }: NoticedRequest): void {
    const key = keyOf(request.id, to.device);
    const { asked, settled } = messagesOf(request, to, { session, text, now: clock.now() });
    const still = () => stands(to);
    const sent = sender.send(to, asked, still).then((result) => finish(key, to, result));
    told.set(key, {
      ...{ request: request.id, device: to.device },
      settle: () =>
        void sent.then(async (isShown) => {
          if (isShown) await sender.send(to, settled, still).then((result) => dropGone(to, result));
        }),
    });
  }

  function dropGone({ device, endpoint }: Subscription, result: Pushed): void {
    if (result === "gone") subscriptions.remove(device, endpoint);
  }

  /** Takes the result of a message. True where the device has it, or may have. */
  function finish(key: string, to: Subscription, result: Pushed): boolean {
    dropGone(to, result);
    if (typeof result === "string") return result === "sent";
    if (marks.isClosed) return false;
    if (!marks.hasFailed) tell(`push: ${result.failed}; further failures are not reported`);
    marks.hasFailed = true;
    const count = (failures.get(key) ?? 0) + 1;
    if (told.has(key) && count < MOST_TRIES) {
      failures.set(key, count);
      told.delete(key);
      again();
    }
    return result.mayHaveArrived;
  }

  function look(): void {
    const open = openNow();
    for (const [key, { request, settle }] of told) {
      if (open.has(request)) continue;
      told.delete(key);
      settle();
    }
    for (const key of failures.keys()) if (!open.has(key.split(" ")[0] as string)) failures.delete(key);
    if (open.size === 0) return marks.cancel();
    let isAnyHeld = false;
    for (const to of subscriptions.all().filter(({ origin }) => isOwn(origin))) {
      for (const one of open.values()) {
        if (told.has(keyOf(one.request.id, to.device))) continue;
        if (isHeld(to, one.session)) isAnyHeld = true;
        else begin(to, one);
      }
    }
    if (isAnyHeld) again();
  }

  return {
    look,
    seen(device, requests) {
      const open = openNow();
      for (const request of requests) {
        const key = keyOf(request, device);
        if (open.has(request) && !told.has(key)) told.set(key, { request, device, settle() {} });
      }
    },
    close() {
      marks.isClosed = true;
      marks.cancel();
      sender.close();
    },
  };
}

const keyOf = (request: string, device: string) => `${request} ${device}`;
