import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import { isLoopback, urlHost } from "@askwire/server";
import { usageFailure } from "../input/failure.js";

/** Hosts that stand for all addresses of the machine. */
const ANY = ["0.0.0.0", "::"];

/** The most addresses of the machine that are named. */
const MOST_NAMED = 8;

/** The names by which others reach a server, before its port is known. */
export interface Reach {
  /** Hosts for addresses, IPv6 in brackets, the best first. */
  readonly hosts: readonly string[];
  /** The address that the operator gave, such as `https://ask.example`: the only one that is named. */
  readonly publicOrigin: string | undefined;
}

/**
 * The names of a server that listens at `host`: the machine's own addresses where that stands for all of them.
 *
 * @throws Failure for a `publicUrl` that is not a server's.
 */
export function reachOf(
  host: string,
  publicUrl: string | undefined,
  interfaces = networkInterfaces(),
): Reach {
  const own = ANY.includes(host) ? ownAddresses(host, Object.values(interfaces).flat()) : [urlHost(host)];
  return { hosts: own, publicOrigin: publicUrl === undefined ? undefined : originOf(publicUrl) };
}

function ownAddresses(host: string, found: readonly (NetworkInterfaceInfo | undefined)[]): string[] {
  const outward = found.flatMap((address) =>
    // Link-local addresses hold on one interface alone.
    address === undefined || address.internal || /^fe80:/i.test(address.address) ? [] : [address],
  );
  const usable = outward.filter(({ family }) => host === "::" || family === "IPv4");
  const sorted = usable.sort((a, b) => a.family.localeCompare(b.family)).slice(0, MOST_NAMED);
  return sorted.length === 0
    ? [host === "::" ? "[::1]" : "127.0.0.1"]
    : sorted.map(({ address }) => urlHost(address));
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain =
    url && url.pathname === "/" && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (url === undefined || !plain || !/^https?:$/.test(url.protocol)) {
    throw usageFailure(
      `--public-url ${text}: expected an address without a path, such as https://ask.example`,
    );
  }
  return url.origin;
}

/** The origins that addresses begin with, the best first. */
export function originsOf(
  { hosts, publicOrigin }: Reach,
  { port, secure }: { port: number; secure: boolean },
): [string, ...string[]] {
  const own = hosts.map((host) => `http${secure ? "s" : ""}://${host}:${port}`);
  return [publicOrigin ?? (own[0] as string), ...(publicOrigin === undefined ? own.slice(1) : [])];
}

/** The origin by which a browser of this machine reaches the server. */
export function originHere(reach: Reach, bound: { host: string; port: number; secure: boolean }): string {
  const [first] = originsOf(reach, bound);
  if (reach.publicOrigin !== undefined || !ANY.includes(bound.host)) return first;
  return `http${bound.secure ? "s" : ""}://${bound.host === "::" ? "[::1]" : "127.0.0.1"}:${bound.port}`;
}

/**
 * Tells the origins of this server's own page from those of other pages that may connect.
 *
 * @param allowed hosts that the operator lets in by name, at any port: those of a proxy.
 */
export function ownOrigins(
  { hosts, publicOrigin }: Reach,
  { port, secure }: { port: number; secure: boolean },
  allowed: readonly string[] = [],
): (origin: string) => boolean {
  return (origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) return false;
    if (url.origin === publicOrigin || allowed.some((host) => host.toLowerCase() === url.hostname))
      return true;
    const isHere = isLoopback(url.hostname) || hosts.includes(url.hostname);
    return isHere && Number(url.port || (secure ? 443 : 80)) === port;
  };
}

/** True for an origin whose connections others can read. */
export function isPlain(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "http:" && !isLoopback(hostname);
}

/** The address of the page at an origin, with a secret in its fragment, which no browser sends. */
export const pageAddress = (origin: string, fragment: Readonly<Record<string, string>>): string =>
  `${origin}/#${Object.entries(fragment)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")}`;

/** The address of a session at an origin, for clients that are no page. */
export const sessionAddress = (origin: string, address: string): string =>
  address.replace(/^wss?:\/\/[^/]+/, origin.replace(/^http/, "ws"));
