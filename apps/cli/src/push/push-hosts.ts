import { isLoopback } from "@askwire/server";
import { usageFailure } from "../input/failure.js";

/** The push services of browsers: of Chrome and what is made of it, Firefox, Safari and Edge. */
const SERVICES = ["fcm.googleapis.com", "jmt17.google.com"];
/** Services with a host for each region: any name below these. */
const REGIONS = [".push.apple.com", ".notify.windows.com", ".push.services.mozilla.com"];

const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/**
 * Reads the hosts of `--push-host`: a name or an address, with a port or without.
 *
 * @returns the hosts in lower case.
 * @throws Failure for a text that is no host, such as one with a scheme.
 */
export function readPushHosts(hosts: readonly string[] = []): readonly string[] {
  return hosts.map((text) => {
    const host = text.toLowerCase();
    if (HOST.test(host)) return host;
    throw usageFailure(`--push-host ${text}: expected a host, such as push.example or push.example:8443`);
  });
}

/**
 * The address of a subscription, if messages may go there: over https to a known push service, or to a host that the
 * operator named. Only a loopback address that was named may do without TLS.
 */
export function allowedEndpoint(endpoint: string, named: readonly string[]): URL | undefined {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || `${url.username}${url.password}${url.hash}` !== "") return undefined;
  const { protocol, hostname, host, port } = url;
  const isNamed = named.includes(host) || (protocol === "https:" && named.includes(`${host}:443`));
  if (protocol === "http:") return isNamed && isLoopback(hostname) ? url : undefined;
  if (protocol !== "https:") return undefined;
  const isService = SERVICES.includes(hostname) || REGIONS.some((region) => hostname.endsWith(region));
  return isNamed || (isService && port === "") ? url : undefined;
}
