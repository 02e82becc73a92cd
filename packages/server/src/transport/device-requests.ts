import type { IncomingMessage } from "node:http";
import type { Clock } from "../runtime/clock.js";
import type { Device, Devices } from "./devices.js";
import { isJson, type JsonAnswer, readJson, refusal } from "./json-body.js";
import { sentToken, type TokenGuard } from "./token.js";

/** A request of a paired device, which its token has let in. */
export interface DeviceRequest {
  readonly device: Device;
  /** The origin of the page that asks, one that may connect; undefined for a client that is no page. */
  readonly origin: string | undefined;
  /** The JSON that was sent: foreign data. Undefined for another text. */
  readonly body: unknown;
}

/** Answers to requests of paired devices, by the path of the address, such as `/push`. */
export type DeviceRequests = Readonly<
  Record<string, (request: DeviceRequest) => JsonAnswer | Promise<JsonAnswer>>
>;

/** The most bytes of a request. */
const MOST_BYTES = 16_384;

/**
 * Lets a request in by the token of a device, as an upgrade is (P-SEC-2, P-SEC-3, P-DEV-1), and answers it. A device
 * that was revoked while its request arrived is refused.
 *
 * @param guard counts wrong tokens.
 */
export async function answerDevice(
  request: IncomingMessage,
  answer: DeviceRequests[string],
  { devices, guard, clock }: { devices: Devices; guard: TokenGuard; clock: Clock },
): Promise<JsonAnswer> {
  if (!isJson(request)) return refusal(415, "send application/json");
  const address = request.socket.remoteAddress ?? "";
  const match = () => {
    const token = sentToken(request);
    return token === undefined ? undefined : devices.match(token);
  };
  if (match() === undefined) {
    if (guard.blocked(address)) return refusal(429, "too many wrong tokens: wait a minute");
    guard.wrong(address);
    return refusal(401, "send the token of a paired device as a bearer");
  }
  const sent = await readJson(request, { clock, most: MOST_BYTES });
  if ("status" in sent) return sent;
  const device = match();
  if (device === undefined) return refusal(401, "the device was revoked: pair it again");
  try {
    return await answer({ device, origin: request.headers.origin, body: sent.value });
  } catch {
    return refusal(500, "the server could not do that: try again");
  }
}
