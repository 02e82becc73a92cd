import { visibleLine } from "@askwire/client/text";
import { personProblem, shareFolder } from "@askwire/server";
import type { DeviceListOptions } from "../command-line/devices.js";
import { paintFor } from "../device/paint.js";
import { CommandFailure, usageFailure } from "../input/failure.js";
import {
  devicesFolder,
  type KeptDevice,
  keptDevices,
  nameDevice,
  removeDevice,
} from "../reach/kept-devices.js";
import { ageText, counted } from "../sessions/amounts.js";

/** Lists the devices that were paired. */
export function listDevices({ json }: DeviceListOptions): void {
  const { devices } = found();
  if (json) {
    for (const device of devices) process.stdout.write(`${JSON.stringify(deviceJson(device))}\n`);
    return;
  }
  if (devices.length === 0) return void process.stderr.write("no device is paired\n");
  const paint = paintFor(process.stdout, process.env);
  const now = Date.now();
  for (const { id, name, role, person, createdAt, usedAt } of devices) {
    const facts = [
      ...(person === undefined ? [] : [`of ${visibleLine(person)}`]),
      `used ${ageText(now - usedAt)} ago`,
      `paired ${ageText(now - createdAt)} ago`,
      ...(role === "answer" ? ["answers only"] : []),
    ].join(", ");
    process.stdout.write(`${id}  ${visibleLine(name)}  ${paint("dim", facts)}\n`);
  }
}

/** Says whose a device is. */
export function nameDeviceOf(id: string, person: string): void {
  const { folder, devices } = found();
  if (!devices.some((device) => device.id === id))
    throw usageFailure(`devices name ${id}: no device has this id: askwire devices lists them`);
  const problem = personProblem(person);
  if (problem !== undefined) throw usageFailure(`devices name: the name: ${problem}`);
  try {
    nameDevice(folder, id, person);
  } catch (error) {
    throw new CommandFailure(`devices name: ${(error as Error).message}`);
  }
}

/** Revokes devices by their ids: servers that run close their connections within a second. */
export function revokeDevices(ids: readonly string[]): void {
  const { folder, devices } = found();
  const unknown = ids.find((id) => !devices.some((device) => device.id === id));
  if (unknown !== undefined) {
    throw usageFailure(`devices revoke ${unknown}: no device has this id: askwire devices lists them`);
  }
  const revoked = new Set(ids);
  try {
    for (const id of revoked) removeDevice(folder, id);
  } catch (error) {
    throw new CommandFailure(`devices revoke: ${(error as Error).message}`);
  }
  process.stdout.write(`${counted(revoked.size, "device")} revoked\n`);
}

/** @throws Failure where the devices cannot be read. */
function found(): { folder: string; devices: KeptDevice[] } {
  const folder = devicesFolder(shareFolder(process.env, { kimi: false }));
  try {
    return { folder, devices: keptDevices(folder) };
  } catch (error) {
    throw new CommandFailure(`devices in ${folder} cannot be read: ${(error as Error).message}`);
  }
}

function deviceJson({ id, name, role, person, createdAt, usedAt }: KeptDevice) {
  const [created_at, used_at] = [createdAt, usedAt].map((ms) => new Date(ms).toISOString());
  return { id, name, person, role, created_at, used_at };
}
