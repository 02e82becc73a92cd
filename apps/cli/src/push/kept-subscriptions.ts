// The subscriptions to push messages, each in a file beside that of its device, with which it goes. Every change is to
// one file, so that several servers need no lock.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { languages } from "@askwire/client/words";
import * as z from "zod/mini";
import { deviceFile, deviceIds, subscriptionFile } from "../reach/kept-devices.js";
import { QuietHours } from "./quiet-hours.js";

/** Characters of the longest endpoint and origin. */
const LONGEST = 2_048;
/** The most sessions that a device is told nothing of. */
const MOST_MUTED = 100;

/** A browser's subscription, in the form that browsers give: where messages go, and the keys that they are for. */
export const Endpoint = z.object({
  endpoint: z.string().check(z.maxLength(LONGEST)),
  keys: z.object({
    p256dh: z.string().check(z.regex(/^[\w-]{87}=?$/)),
    auth: z.string().check(z.regex(/^[\w-]{22}(?:==)?$/)),
  }),
});
export type Endpoint = z.output<typeof Endpoint>;

/** The choices of a person for one device. */
export const PushChoices = z.object({
  /** The language of the texts. */
  language: z.enum(languages),
  /** null: none. */
  quiet: z.nullable(QuietHours),
  /** The ids of sessions of which the device is told nothing. */
  muted: z.array(z.string().check(z.maxLength(256))).check(z.maxLength(MOST_MUTED)),
});
export type PushChoices = z.output<typeof PushChoices>;

const SubscriptionFile = z.extend(Endpoint, {
  /** The origin of the page, which a notification leads to. */
  origin: z.string().check(z.maxLength(LONGEST)),
  ...PushChoices.shape,
});

/** The subscription of a device: it has one at most. */
export interface Subscription extends z.output<typeof SubscriptionFile> {
  /** The id of the device. */
  readonly device: string;
}

/** The subscriptions of devices that are still let in. */
export interface KeptSubscriptions {
  all(): Subscription[];
  of(device: string): Subscription | undefined;
  /**
   * Keeps a subscription in the place of that device's last one.
   *
   * @throws the system's error if the file cannot be written.
   * @returns false where another device has the endpoint: whoever learns an endpoint gets no messages sent there by it.
   */
  keep(subscription: Subscription): boolean;
  /** Removes the subscription of a device; given an endpoint, only if it still is that one. */
  remove(device: string, endpoint?: string): void;
}

/** The subscriptions beside the devices of a folder. */
export function keptSubscriptions(folder: string): KeptSubscriptions {
  function of(device: string): Subscription | undefined {
    if (!existsSync(deviceFile(folder, device))) return undefined;
    try {
      const text = readFileSync(subscriptionFile(folder, device), "utf8");
      return { device, ...SubscriptionFile.parse(JSON.parse(text)) };
    } catch {
      return undefined;
    }
  }
  const all = () => deviceIds(folder).flatMap((device) => of(device) ?? []);
  const remove = (device: string) => rmSync(subscriptionFile(folder, device), { force: true });

  return {
    all,
    of,
    keep({ device, ...kept }) {
      if (all().some((other) => other.device !== device && other.endpoint === kept.endpoint)) return false;
      const file = subscriptionFile(folder, device);
      const written = `${file}.${randomBytes(6).toString("hex")}`;
      writeFileSync(written, `${JSON.stringify(SubscriptionFile.parse(kept))}\n`, {
        mode: 0o600,
        flag: "wx",
      });
      renameSync(written, file);
      // The device may have been revoked meanwhile.
      if (!existsSync(deviceFile(folder, device))) remove(device);
      return true;
    },
    remove(device, endpoint) {
      if (endpoint === undefined || of(device)?.endpoint === endpoint) remove(device);
    },
  };
}
