import { isLoopback } from "./origin.js";

/** The most servers that a page may reach besides its own, so that the policy stays a header. */
const MOST_SERVERS = 20;

/** Hosts that a policy can name. It knows no IPv6 address, and `*` would mean many hosts. */
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/**
 * Checks the origins of the servers that a page may reach besides its own (P-DEV-6).
 *
 * @returns the origins as browsers write them, each once.
 * @throws TypeError for a text that is no origin, for `http` to another machine, which others could read, and for more
 * than 20.
 */
export function pageServersOf(origins: readonly string[]): readonly string[] {
  const read = [...new Set(origins.map(originOf))];
  if (read.length > MOST_SERVERS)
    throw new TypeError(`expected at most ${MOST_SERVERS} servers, not ${read.length}: leave some out`);
  return read;
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const rest = url && `${url.username}${url.password}${url.search}${url.hash}`;
  if (url === undefined || rest !== "" || url.pathname !== "/" || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`${text}: expected an origin, such as https://host or http://127.0.0.1:8080`);
  }
  if (!HOST.test(url.hostname)) {
    throw new TypeError(
      `${text}: expected a host name or an IPv4 address, which alone a browser's policy can name`,
    );
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new TypeError(
      `${text}: others could read the token on the way: expected https, or http to 127.0.0.1`,
    );
  }
  return url.origin;
}

/** The sources of a policy for the requests and the WebSockets of an origin. */
export const connectSources = (origin: string): string[] => [origin, origin.replace(/^http/, "ws")];
