import webPush from "web-push";
import type { ApplicationKeys } from "./application-keys.js";
import type { Endpoint } from "./kept-subscriptions.js";
import { allowedEndpoint } from "./push-hosts.js";

/** A message for one device. */
export interface PushMessage {
  /** The text that is encrypted: at most 3,000 bytes of UTF-8. */
  readonly text: string;
  /** Seconds for which the service keeps the message for a device that it cannot reach. */
  readonly ttl: number;
  /** The name of a message that a later one replaces as long as it waits: at most 32 characters of base64url. */
  readonly topic: string;
}

/** The result of a message: `gone` where the subscription has ended. */
export type Pushed = "sent" | "gone" | PushFailure;

export interface PushFailure {
  /** The reason, in English. */
  readonly failed: string;
  /** True where the service may have taken the message all the same. */
  readonly mayHaveArrived: boolean;
}

/** Sends messages to push services. */
export interface PushSender {
  /**
   * Sends a message, in turn. Never fails, and ends within a bounded time.
   *
   * @param still false where the message is no longer wanted once its turn has come.
   */
  send(to: Endpoint, message: PushMessage, still: () => boolean): Promise<Pushed>;
  /** Ends what is being sent, and forgets what waits. */
  close(): void;
}

export interface PushSenderOptions {
  readonly keys: ApplicationKeys;
  /** Hosts that the operator named, besides the known services. */
  readonly hosts: readonly string[];
  /** Whom a push service may turn to: a `mailto:` or `https:` address. */
  readonly contact: string;
  /** The time for a service to answer, in milliseconds. Default: 10,000. */
  readonly timeLimitMs?: number;
}

/** The most messages that are sent at once, and that wait. */
const MOST_RUNNING = 4;
const MOST_WAITING = 500;
const TIME_LIMIT_MS = 10_000;

const failure = (failed: string, mayHaveArrived = false): PushFailure => ({ failed, mayHaveArrived });

/** Sends encrypted messages (RFC 8291) to push services, a few at a time. No redirect is followed. */
export function pushSender({
  keys,
  hosts,
  contact,
  timeLimitMs = TIME_LIMIT_MS,
}: PushSenderOptions): PushSender {
  const ended = new AbortController();
  const waiting: (() => void)[] = [];
  let running = 0;

  /** Resolves in turn; false where too many wait, or the sender is closed. */
  function turn(): Promise<boolean> {
    if (ended.signal.aborted || waiting.length >= MOST_WAITING) return Promise.resolve(false);
    if (running < MOST_RUNNING) {
      running += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => waiting.push(() => resolve(!ended.signal.aborted)));
  }
  function next(): void {
    const start = waiting.shift();
    if (start === undefined) running -= 1;
    else start();
  }

  async function post({ endpoint, keys: to }: Endpoint, { text, ttl, topic }: PushMessage): Promise<Pushed> {
    const url = allowedEndpoint(endpoint, hosts);
    if (url === undefined) return failure("the push service is not allowed: name its host by --push-host");
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: to }, text, {
      vapidDetails: { subject: contact, ...keys },
      ...{ TTL: ttl, topic, urgency: "high", contentEncoding: "aes128gcm" },
    });
    const { "Content-Length": _, ...sent } = headers;
    const response = await fetch(url, {
      ...{ method: "POST", headers: sent, body: new Uint8Array(body ?? []), redirect: "manual" },
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(timeLimitMs)]),
    });
    await response.body?.cancel();
    if (response.ok) return "sent";
    if (response.status === 404 || response.status === 410) return "gone";
    return failure(`${url.host} answered ${response.status}`);
  }

  return {
    async send(to, message, still) {
      if (!(await turn())) return failure("too many messages wait");
      try {
        return still() ? await post(to, message) : "gone";
      } catch (error) {
        const { name, message: why, cause } = error as Error;
        const isLate = name === "TimeoutError";
        const reason = cause instanceof Error ? cause.message : why;
        return failure(isLate ? `no answer within ${timeLimitMs / 1_000} s` : reason, isLate);
      } finally {
        next();
      }
    },
    close() {
      ended.abort();
      for (const start of waiting.splice(0)) start();
    },
  };
}
