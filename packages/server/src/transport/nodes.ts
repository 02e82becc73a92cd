import type { IncomingMessage } from "node:http";
import { type ClientRole, clientRoles, type Principal } from "@askwire/protocol";
import { checkOptions, defined, type OptionRules, option } from "@askwire/protocol/internal";
import { principalRule } from "../server/principal.js";
import type { Visitor } from "./secrets.js";
import { sameToken, sentToken, tokenProblem } from "./token.js";

/** The other processes that serve sessions of the same store, each a node with a gateway of its own (P-NOD-1). */
export interface Nodes {
  /**
   * Finds the node that has a session: the address of its gateway, as `ws://10.0.0.7:7001`. Undefined where no other
   * node has it, or the one that has it cannot be reached. A rejection tells the client to come again.
   *
   * @param tenant the tenant whose session it is (P-TEN-4); undefined for one of none.
   */
  readonly ownerOf: (sessionId: string, tenant?: string) => Promise<string | undefined>;
  /** The secret by which nodes know each other: at least 22 characters of base64url, the same in all of them. */
  readonly linkSecret: string;
}

/** The rules for {@link Nodes}. */
export const nodesRules: OptionRules<Nodes> = {
  ownerOf: option.required(option.callable),
  linkSecret: {
    expected: "at least 22 characters of base64url (letters, digits, - and _)",
    fits: (value) => typeof value === "string" && tokenProblem(value) === undefined,
    required: true,
  },
};

/** The header in which a node says whom it let in. */
const VISITOR = "x-askwire-visitor";

/** A client as the node that let it in tells the owner of its session. */
export interface LinkedVisitor {
  /** The id of the node that let it in. */
  readonly from: string;
  /** True for a client that names the stream in which it has been. */
  readonly resumes: boolean;
  readonly role?: ClientRole | undefined;
  readonly principal?: Principal | undefined;
  /** The roles that the door of that node knows of the person (P-XTO-4). */
  readonly roles?: readonly string[] | undefined;
  /** Default: none. */
  readonly tenant?: string | undefined;
}

const visitorRules: OptionRules<LinkedVisitor> = {
  from: option.required(option.text),
  resumes: option.required(option.flag),
  role: option.oneOf(Object.keys(clientRoles)),
  principal: principalRule,
  roles: option.texts,
  tenant: option.text,
};

/** The headers of a link for a client. */
export const linkHeaders = (
  { linkSecret }: Nodes,
  { role, principal, roles, tenant }: Visitor,
  of: Pick<LinkedVisitor, "from" | "resumes">,
): Record<string, string> => {
  // A client of no tenant and without roles is told as ever, so that nodes of the version before understand it.
  const told: LinkedVisitor = {
    ...of,
    ...defined({ role, principal, tenant: tenant || undefined }),
    ...(roles !== undefined && roles.length > 0 && { roles }),
  };
  return {
    authorization: `Bearer ${linkSecret}`,
    [VISITOR]: Buffer.from(JSON.stringify(told)).toString("base64url"),
  };
};

/** True for a request that has the secret of the nodes. Nothing else of a link is believed before. */
export const isOfNode = ({ linkSecret }: Nodes, request: IncomingMessage): boolean =>
  sameToken(sentToken(request), linkSecret);

/** The client for whom a node opens a link; undefined for what no node of this version says. */
export function linkedVisitor(request: IncomingMessage): LinkedVisitor | undefined {
  try {
    const told = JSON.parse(Buffer.from(String(request.headers[VISITOR] ?? ""), "base64url").toString());
    checkOptions("a link", told, visitorRules);
    return told;
  } catch {
    return undefined;
  }
}

/** The most characters of a first message that is looked at: one that brings many tools is long. */
const MOST_READ = 1024 * 1024;

/** A session as a first message names it (P-XAT-2). */
export interface NamedPlace {
  readonly id: string;
  /** True where it names the stream in which it has been. */
  readonly resumes: boolean;
}

/** The session that a first message names; undefined where it names none. */
export function namedPlace(text: string): NamedPlace | undefined {
  if (text.length > MOST_READ) return undefined;
  try {
    const { method, params } = Object(JSON.parse(text));
    const { id, stream } = Object(method === "initialize" ? params?.session : undefined);
    return typeof id === "string" ? { id, resumes: typeof stream === "string" } : undefined;
  } catch {
    return undefined;
  }
}
