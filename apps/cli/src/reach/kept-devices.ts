// The devices that were paired, a file each. Every change is to one file, so several servers and `askwire devices` need
// no lock.
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NamedDevice } from "@askwire/server";
import type { Device, PairedDevice } from "@askwire/server/websocket";
import * as z from "zod/mini";
import { digestOf, fileNamesIn, isSecretOf, newSecret, writeBeside } from "./secret-files.js";

/** A device that is kept, as lists show it. */
export interface KeptDevice extends Device {
  readonly name: string;
  /** The time of the pairing, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The time of the last connection, to the minute, in milliseconds since 1970. */
  readonly usedAt: number;
}

const DeviceFile = z.object({
  name: z.string(),
  token_sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  created_at: z.iso.datetime(),
  role: z.optional(z.literal("answer")),
  person: z.optional(z.string()),
});

/** The most devices that are kept. Pairing one more revokes the one that was used longest ago. */
const MOST_DEVICES = 100;
/** The exactness of the last use, in milliseconds. */
const USED_MS = 60_000;

const FILE = /^([0-9a-z]{8})\.json$/;
const TOKEN = /^([0-9a-z]{8})-[\w-]{43}$/;

/** The folder of the devices beside the kept sessions. */
export const devicesFolder = (share: string): string => join(share, "devices");

/** The ids of the devices; none where there is no folder. */
export function deviceIds(folder: string): string[] {
  return fileNamesIn(folder).flatMap((name) => FILE.exec(name)?.[1] ?? []);
}

/** True where a device has a subscription to push messages. A folder that cannot be read has none. */
export function hasSubscriptions(folder: string): boolean {
  try {
    return fileNamesIn(folder).some((name) => name.endsWith(".push.json"));
  } catch {
    return false;
  }
}

/** The devices that are kept, the one that was used last first. A file that is damaged is left out. */
export function keptDevices(folder: string): KeptDevice[] {
  const found = deviceIds(folder).flatMap((id) => {
    const kept = readDevice(folder, id);
    return kept === undefined ? [] : [kept.device];
  });
  return found.sort((a, b) => b.usedAt - a.usedAt || (a.id < b.id ? -1 : 1));
}

/** The file of a device. */
export const deviceFile = (folder: string, id: string): string => join(folder, `${id}.json`);
/** The file of a device's subscription to push messages, which goes with the device. */
export const subscriptionFile = (folder: string, id: string): string => join(folder, `${id}.push.json`);

function readDevice(folder: string, id: string): { device: KeptDevice; digest: string } | undefined {
  try {
    const file = deviceFile(folder, id);
    const { name, role, person, created_at, token_sha256 } = DeviceFile.parse(
      JSON.parse(readFileSync(file, "utf8")),
    );
    const times = { createdAt: Date.parse(created_at), usedAt: statSync(file).mtimeMs };
    const device = { id, name, role, person, ...times };
    return { device, digest: token_sha256 };
  } catch {
    return undefined;
  }
}

/**
 * Keeps a new device in a file of its own, with mode 0600.
 *
 * @returns the device, with the token that stands nowhere else.
 * @throws the system's error if the file cannot be written.
 */
export function keepDevice(
  folder: string,
  { name, role, person }: { name: string; role: Device["role"]; person?: string | undefined },
): PairedDevice & NamedDevice {
  const id = Array.from(randomBytes(8), (byte) => (byte % 32).toString(32)).join("");
  const token = newSecret(id);
  const kept: z.input<typeof DeviceFile> = {
    name,
    token_sha256: digestOf(token),
    created_at: new Date().toISOString(),
    role,
    person,
  };
  renameSync(writeBeside(folder, id, kept), deviceFile(folder, id));
  for (const { id: old } of keptDevices(folder).slice(MOST_DEVICES)) removeDevice(folder, old);
  return { id, token, role, name };
}

/** The device with this token, which counts as used now; undefined for another text. */
export function deviceOf(folder: string, token: string): Device | undefined {
  const id = TOKEN.exec(token)?.[1];
  const kept = id === undefined ? undefined : readDevice(folder, id);
  if (kept === undefined || !isSecretOf(kept.digest, token)) return undefined;
  const now = new Date();
  try {
    if (now.getTime() - kept.device.usedAt > USED_MS)
      utimesSync(deviceFile(folder, kept.device.id), now, now);
  } catch {
    // The time of the last use is for lists alone.
  }
  return kept.device;
}

/**
 * Says whose a device is: its next connection answers in that name.
 *
 * @throws the system's error if the file cannot be written, and an error where it is damaged.
 */
export function nameDevice(folder: string, id: string, person: string): void {
  const file = deviceFile(folder, id);
  const kept = DeviceFile.parse(JSON.parse(readFileSync(file, "utf8")));
  const { atime, mtime } = statSync(file);
  const written = join(folder, `.${id}.named`);
  writeFileSync(written, `${JSON.stringify({ ...kept, person })}\n`, { mode: 0o600 });
  utimesSync(written, atime, mtime);
  renameSync(written, file);
}

/** Revokes a device, also in servers that run, and ends its subscription to push messages. */
export function removeDevice(folder: string, id: string): void {
  rmSync(deviceFile(folder, id), { force: true });
  rmSync(subscriptionFile(folder, id), { force: true });
}
