import type { IncomingMessage } from "node:http";
import * as z from "@askwire/protocol/internal";
import type { Clock } from "../runtime/clock.js";
import type { Devices, PairedDevice } from "./devices.js";
import { isJson, type JsonAnswer, readJson, refusal } from "./json-body.js";
import { createTokenGuard, type TokenGuard } from "./token.js";

/** The most bytes of a request to pair. */
const MOST_BYTES = 1_024;

/** The wrong codes of an address within a minute, of all who come by it. */
const OF_ADDRESS = 100;
/** The most characters of a proxy's word on where a request comes from. */
const MOST_WORD = 64;

const PairRequest = z.object({ code: z.string() });

/** Counts wrong codes: ten of a device, and more of an address, which may be a proxy's (P-DEV-3). */
export class PairGuard {
  readonly #ofDevice: TokenGuard;
  readonly #ofAddress: TokenGuard;

  constructor(now: () => number) {
    this.#ofDevice = createTokenGuard(now);
    this.#ofAddress = createTokenGuard(now, OF_ADDRESS);
  }

  isBlocked(request: IncomingMessage): boolean {
    return this.#ofAddress.blocked(addressOf(request)) || this.#ofDevice.blocked(deviceOf(request));
  }

  wrong(request: IncomingMessage): void {
    this.#ofAddress.wrong(addressOf(request));
    this.#ofDevice.wrong(deviceOf(request));
  }
}

const addressOf = ({ socket }: IncomingMessage) => socket.remoteAddress ?? "";

/** The origin of a request: its address, and what the nearest proxy says; anybody may have written what others say. */
function deviceOf(request: IncomingMessage): string {
  const said = String(request.headers["x-forwarded-for"] ?? "");
  return `${addressOf(request)} ${said
    .slice(said.lastIndexOf(",") + 1)
    .trim()
    .slice(0, MOST_WORD)}`;
}

/**
 * Answers `POST /pair`: a code that counts is exchanged for the token of a device (P-DEV-2, P-DEV-3).
 *
 * @param guard counts the wrong codes.
 */
export async function answerPair(
  request: IncomingMessage,
  { devices, guard, clock }: { devices: Devices; guard: PairGuard; clock: Clock },
): Promise<JsonAnswer> {
  if (!isJson(request)) return refusal(415, "send the code as application/json");
  const tooMany = refusal(429, "too many wrong codes: wait a minute");
  if (guard.isBlocked(request)) return tooMany;
  const sent = await readJson(request, { clock, most: MOST_BYTES });
  if ("status" in sent) return sent;
  // Others may have used up the tries while this one was read.
  if (guard.isBlocked(request)) return tooMany;
  const read = PairRequest.safeParse(sent.value);
  if (!read.success) return refusal(400, 'send a JSON object with a text "code"');
  let device: PairedDevice | undefined;
  try {
    device = devices.pair(read.data.code, deviceName(request.headers["user-agent"]));
  } catch {
    return refusal(500, "the server could not keep the device: look at its standard error, and try again");
  }
  if (device === undefined) {
    guard.wrong(request);
    return refusal(403, "the code is wrong, used or expired: make a new one where the server runs");
  }
  const { id, token, role } = device;
  return { status: 200, body: { token, device: id, ...(role !== undefined && { role }) } };
}

const browsers = [
  ["Edg", "Edge"],
  ["Firefox|FxiOS", "Firefox"],
  ["Chrome|CriOS", "Chrome"],
  ["Safari", "Safari"],
] as const;
const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** The browser and the system that a device says it is, such as "Firefox on Android"; else its first words. */
function deviceName(userAgent = ""): string {
  const named = (table: readonly (readonly [string, string])[]) =>
    table.find(([words]) => new RegExp(words).test(userAgent))?.[1];
  const [browser, system] = [named(browsers), named(systems)];
  if (browser === undefined || system === undefined) return userAgent.slice(0, 60) || "unknown";
  return `${browser} on ${system}`;
}
