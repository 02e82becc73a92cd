import type { IncomingMessage } from "node:http";
import { BlockList, isIPv4, isIPv6 } from "node:net";
import type { ClientRole, Principal } from "@askwire/protocol";
import { personProblem } from "../runtime/person-name.js";
import { tenantProblem } from "../runtime/tenant-name.js";
import { hostName, isLoopback } from "./origin.js";

/** A header by which a proxy says who somebody is, and the addresses of that proxy (P-WHO-5). */
export interface TrustedHeader {
  /** The name of the header, such as `X-Forwarded-Email`. Its value is the id and the name of the person. */
  readonly header: string;
  /** The addresses that may say so, as `10.0.0.7` or `10.0.0.0/24`: at least one. No other is implied. */
  readonly from: readonly string[];
  /** `answer` for persons who may only answer (P-XRL-1). Default: every method. */
  readonly role?: ClientRole;
  /**
   * The name of the header with the groups of the person, separated by commas, such as `X-Forwarded-Groups`: each is a
   * role (P-XTO-4), at most 100 of 200 characters. Default: none is read.
   */
  readonly groupsHeader?: string;
  /**
   * The name of the header in which the proxy says the tenant of the person (P-TEN-3): whoever it names without one is
   * refused. Default: the proxy says no tenant.
   */
  readonly tenantHeader?: string;
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
  readonly #groupsHeader: string | undefined;
  readonly #tenantHeader: string | undefined;
  readonly #proxies = new BlockList();

  /** @throws TypeError for a header or an address that cannot be one. */
  constructor({ header, from, role, groupsHeader, tenantHeader }: TrustedHeader) {
    this.#header = headerName("header", header);
    this.#groupsHeader = groupsHeader && headerName("groupsHeader", groupsHeader);
    this.#tenantHeader = tenantHeader && headerName("tenantHeader", tenantHeader);
    this.role = role;
    if (this.#groupsHeader === this.#header)
      throw new TypeError("groupsHeader: expected another header than that of the person");
    const others = [this.#header, this.#groupsHeader];
    if (this.#tenantHeader !== undefined && others.includes(this.#tenantHeader))
      throw new TypeError("tenantHeader: expected another header than those of the person and the groups");
    if (from.length === 0) throw new TypeError("from: expected the address of the proxy");
    for (const address of from) this.#add(address);
  }

  /** True for a connection that comes from the proxy. */
  isProxy({ socket }: IncomingMessage): boolean {
    const address = plainAddress(socket.remoteAddress ?? "");
    return address !== "" && this.#proxies.check(address, familyOf(address));
  }

  /** The person that the proxy names; undefined where it names none, or somebody else sent the header. */
  person(request: IncomingMessage): Principal | Refusal | undefined {
    if (!this.isProxy(request)) return undefined;
    const sent = sentOnce(request, this.#header);
    if (typeof sent !== "string") return sent;
    const name = decoded(sent);
    const problem = name === undefined ? "expected UTF-8" : personProblem(name);
    if (name === undefined || problem !== undefined)
      return { refused: `the header ${this.#header}: ${problem}` };
    return { id: name, name, via: "header" };
  }

  /** The groups that the proxy names beside the person. Call it for a person whom {@link person} gave. */
  groups(request: IncomingMessage): readonly string[] | Refusal {
    const name = this.#groupsHeader;
    const sent = name === undefined ? undefined : sentOnce(request, name);
    if (typeof sent !== "string") return sent ?? [];
    const text = decoded(sent);
    if (text === undefined) return { refused: `the header ${name}: expected UTF-8` };
    const groups = text.split(",").flatMap((group) => (group.trim() === "" ? [] : [group.trim()]));
    if (groups.length > MOST_GROUPS)
      return { refused: `the header ${name}: expected at most ${MOST_GROUPS} groups, not ${groups.length}` };
    const problem = groups.map(personProblem).find((found) => found !== undefined);
    return problem === undefined ? groups : { refused: `the header ${name}: a group: ${problem}` };
  }

  /**
   * The tenant that the proxy names; undefined where it names none, or somebody else sent the header.
   *
   * @param isNeeded true for a person of the proxy, whom no other word puts into a tenant.
   */
  tenant(request: IncomingMessage, isNeeded: boolean): string | Refusal | undefined {
    const header = this.#tenantHeader;
    if (header === undefined || !this.isProxy(request)) return undefined;
    const sent = sentOnce(request, header);
    if (sent === undefined)
      return isNeeded ? { refused: `the header ${header} is missing: send the person's tenant` } : undefined;
    if (typeof sent !== "string") return sent;
    const name = sent.trim();
    const problem = tenantProblem(name);
    return problem === undefined ? name : { refused: `the header ${header}: ${problem}` };
  }

  #add(text: string): void {
    const [address = "", bits, more] = text.split("/");
    const family = familyOf(address);
    const most = family === "ipv4" ? 32 : 128;
    const isRange = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
    const fits = (isIPv4(address) || isIPv6(address)) && !address.includes("%") && more === undefined;
    if (!fits || (bits !== undefined && !isRange))
      throw new TypeError(`${text}: expected an address or a range, such as 10.0.0.7 or 10.0.0.0/24`);
    if (bits !== undefined) return this.#proxies.addSubnet(address, Number(bits), family);
    const plain = plainAddress(address);
    this.#proxies.addAddress(plain, familyOf(plain));
  }
}

/** The most groups of a person. */
const MOST_GROUPS = 100;

/** @throws TypeError for a name that no header of a proxy has. */
function headerName(option: string, header: string): string {
  const name = header.toLowerCase();
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(header) && !MEANT.test(name)) return name;
  throw new TypeError(
    `${option}: expected the name of a header of your proxy, not ${JSON.stringify(header)}`,
  );
}

/** The value of a header that is sent once at most. */
function sentOnce({ headersDistinct }: IncomingMessage, header: string): string | Refusal | undefined {
  const sent = headersDistinct[header];
  if (sent === undefined) return undefined;
  return sent.length > 1
    ? { refused: `the header ${header} was sent ${sent.length} times: send one` }
    : (sent[0] ?? "");
}

const familyOf = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");

/** An address without the mark by which a socket of IPv6 writes one of IPv4. */
const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, "");

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
/** True for an address of this machine that no other machine reaches. */
const isOwn = (address: string) => address === "::1" || (isIPv4(address) && address.startsWith("127."));

/** True for a connection of this machine, to an address of its own, that shows no sign of a proxy. */
export function isOfThisMachine({ socket, headers }: IncomingMessage): boolean {
  const host = hostName(headers.host) ?? "";
  const isPassedOn = Object.keys(headers).some((name) => PASSED_ON.test(name));
  return !isPassedOn && (isLoopback(host) || isOwn(host)) && isOwn(plainAddress(socket.remoteAddress ?? ""));
}
