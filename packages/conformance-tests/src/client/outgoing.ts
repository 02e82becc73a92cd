import { isObject } from "../contract/expectations.js";
import type { Outgoing } from "../faults/player.js";

/** The bytes of a message to a client. A response counts once (P-ENV-9), and so does a numbered message (P-XCL-4). */
export function outgoing(message: object): Outgoing {
  const whole: Readonly<Record<string, unknown>> = { jsonrpc: "2.0", ...message };
  const { id, method, params } = whole;
  const isNumbered = method !== "alive" && isObject(params) && Number.isInteger(params.seq);
  const mayRepeat = isNumbered || (method === undefined && id !== undefined);
  return { bytes: Buffer.from(JSON.stringify(whole)), mayRepeat };
}
