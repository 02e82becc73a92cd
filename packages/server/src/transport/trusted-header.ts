import type { IncomingMessage } from "node:http";
import { BlockList, isIPv4, isIPv6 } from "node:net";
import type { ClientRole, Principal } from "@askwire/protocol";
import { personProblem } from "../server/principal.js";

/** A header by which a proxy says who somebody is, and the addresses of that proxy (P-WHO-5). */
export interface TrustedHeader {
  /** The name of the header, such as `X-Forwarded-Email`. Its value is the id and the name of the person. */
  readonly header: string;
  /** The addresses that may say so, as `10.0.0.7` or `10.0.0.0/24`: at least one. No other is implied. */
  readonly from: readonly string[];
  /** `answer` for persons who may only answer (P-XRL-1). Default: every method. */
  readonly role?: ClientRole;
}

/** The reason why nobody is let in. */
export interface Refusal {
  readonly refused: string;
}

/** Headers with a meaning of their own. */
const MEANT = /^(authorization|connection|cookie|forwarded|host|origin|upgrade|x-forwarded-for|sec-.*)$/;

/** Reads who somebody is from the header of a proxy. */
export class HeaderTrust {
  readonly role: ClientRole | undefined;
  readonly #header: string;
  readonly #proxies = new BlockList();

  /** @throws TypeError for a header or an address that cannot be one. */
  constructor({ header, from, role }: TrustedHeader) {
    this.#header = header.toLowerCase();
    this.role = role;
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header) || MEANT.test(this.#header))
      throw new TypeError(
        `header: expected the name of a header of your proxy, not ${JSON.stringify(header)}`,
      );
    if (from.length === 0) throw new TypeError("from: expected the address of the proxy");
    for (const address of from) this.#add(address);
  }

  /** True for a connection that comes from the proxy. */
  isProxy({ socket }: IncomingMessage): boolean {
    const address = plainAddress(socket.remoteAddress);
    return address !== undefined && this.#proxies.check(address, isIPv4(address) ? "ipv4" : "ipv6");
  }

  /** The person that the proxy names; undefined where it names none, or somebody else sent the header. */
  person(request: IncomingMessage): Principal | Refusal | undefined {
    if (!this.isProxy(request)) return undefined;
    const sent = request.headersDistinct[this.#header];
    if (sent === undefined) return undefined;
    if (sent.length > 1)
      return { refused: `the header ${this.#header} was sent ${sent.length} times: send one` };
    const name = decoded(sent[0] ?? "");
    const problem = name === undefined ? "expected UTF-8" : personProblem(name);
    if (name === undefined || problem !== undefined)
      return { refused: `the header ${this.#header}: ${problem}` };
    return { id: name, name, via: "header" };
  }

  #add(text: string): void {
    const [address = "", bits, more] = text.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    const most = family === "ipv4" ? 32 : 128;
    const isRange = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
    const fits = (isIPv4(address) || isIPv6(address)) && !address.includes("%") && more === undefined;
    if (!fits || (bits !== undefined && !isRange))
      throw new TypeError(`${text}: expected an address or a range, such as 10.0.0.7 or 10.0.0.0/24`);
    if (bits === undefined) this.#proxies.addAddress(plainAddress(address) ?? address, familyOf(address));
    else this.#proxies.addSubnet(address, Number(bits), family);
  }
}

const familyOf = (address: string) => (isIPv4(plainAddress(address) ?? "") ? "ipv4" : "ipv6");

/** An address without the mark by which a socket of IPv6 writes one of IPv4. */
const plainAddress = (address: string | undefined) => address?.replace(/^::ffff:(?=\d+\.)/i, "");

/** Text that arrived as bytes; undefined for bytes that are no UTF-8. */
function decoded(bytes: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(bytes, "latin1")).trim();
  } catch {
    return undefined;
  }
}

/** Headers by which proxies say that they passed a request on. */
const PASSED_ON = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;
/** Hosts of this machine's own addresses. */
const OWN_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;

/** True for a connection of this machine, to an address of its own, that shows no sign of a proxy. */
export function isOfThisMachine({ socket, headers }: IncomingMessage): boolean {
  const address = plainAddress(socket.remoteAddress) ?? "";
  const isPassedOn = Object.keys(headers).some((name) => PASSED_ON.test(name));
  return !isPassedOn && OWN_HOST.test(headers.host ?? "") && (address === "::1" || /^127\./.test(address));
}
