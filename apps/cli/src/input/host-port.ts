import { usageFailure } from "./failure.js";

/** An address to listen at. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `HOST:PORT`, with an address of IPv6 in brackets.
 *
 * @param option the option that it stands behind, for the message.
 * @throws Failure for another text.
 */
export function readHostPort(option: string, text: string): HostPort {
  const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw usageFailure(`${option} ${text}: expected HOST:PORT, such as 127.0.0.1:0 for a free port`);
  }
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}
