import type { IncomingMessage } from "node:http";

export interface OriginRules {
  /** Hosts besides the loopback names that this server is reached by, without port. */
  readonly hosts: readonly string[];
  /** Origins besides the server's own that may connect, such as `https://example.org`. */
  readonly origins: readonly string[];
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** True for an address that only this machine reaches: a host name, or an address with or without brackets. */
export const isLoopback = (host: string) => LOOPBACK.includes(host) || LOOPBACK.includes(`[${host}]`);

/** The name in a `Host` header, without the port and in lower case. */
export const hostName = (host: string | undefined) => host?.replace(/:\d+$/, "").toLowerCase();

/** An address as it stands in a URL: IPv6 in brackets. */
export const urlHost = (address: string) => (address.includes(":") ? `[${address}]` : address);

/** An origin as browsers send it: a scheme and a host, with a port or without. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/**
 * The origins as they are compared, in lower case.
 *
 * @param option the beginning of a complaint. Default: none.
 * @throws TypeError for a text that is no origin of one site: `*` and `null` would let in any page.
 */
export function exactOrigins(origins: readonly string[], option = ""): readonly string[] {
  return origins.map((text) => {
    const origin = text.toLowerCase();
    if (ORIGIN.test(origin)) return origin;
    const any = text === "*" || origin === "null" ? "; by this any page could connect" : "";
    throw new TypeError(
      `${option}${text}: expected one origin, such as https://app.example or http://host:8080${any}`,
    );
  });
}

/**
 * The reason to refuse a request, or undefined (P-SEC-4, P-SEC-5). A page on a foreign site can make a browser connect
 * to any address, but its `Origin` gives it away. A foreign name that points to this address is refused by its `Host`.
 */
export function foreignRequest(request: IncomingMessage, rules: OriginRules): string | undefined {
  const { host, origin } = request.headers;
  // Node takes the first, and a proxy in front of it may have taken the other one.
  const names = request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  if (names.length > 1) return "two Host headers were sent: send one";
  const name = hostName(host);
  const hosts = [...LOOPBACK, ...rules.hosts.map((allowed) => allowed.toLowerCase())];
  if (name === undefined || !hosts.includes(name)) {
    return `host ${host ?? "(none)"} is not one of this server's: allow it with --allow-host`;
  }
  if (origin === undefined || rules.origins.includes(origin)) return undefined;
  const own = [`http://${host}`, `https://${host}`];
  return own.includes(origin) ? undefined : `origin ${origin} is foreign: allow it with --allow-origin`;
}
