import type { IncomingMessage } from "node:http";
import { type ClientRole, clientRoles, type Principal } from "@askwire/protocol";
import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import { principalRule } from "../server/principal.js";
import type { Visitor } from "./secrets.js";
import { sameToken, sentToken, tokenProblem } from "./token.js";

/** The other processes that serve sessions of the same store, each a node with a gateway of its own (P-NOD-1). */
export interface Nodes {
  /**
   * Finds the node that has a session: the address of its gateway, as `ws://10.0.0.7:7001`. Undefined where no other
   * node has it.
   */
  readonly ownerOf: (sessionId: string) => Promise<string | undefined>;
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
interface PassedVisitor {
  readonly isOwner?: boolean;
  readonly role?: ClientRole;
  readonly principal?: Principal;
}

const visitorRules: OptionRules<PassedVisitor> = {
  isOwner: option.flag,
  role: option.oneOf(Object.keys(clientRoles)),
  principal: principalRule,
};

/** The headers of a link for a client. */
export const linkHeaders = ({ linkSecret }: Nodes, visitor: Visitor): Record<string, string> => {
  const { isOwner, role, principal } = visitor;
  const told = Buffer.from(JSON.stringify({ isOwner, role, principal })).toString("base64url");
  return { authorization: `Bearer ${linkSecret}`, [VISITOR]: told };
};

/** The client for whom another node opens a link; undefined without the secret of the nodes. */
export function linkedVisitor({ linkSecret }: Nodes, request: IncomingMessage): Visitor | undefined {
  if (!sameToken(sentToken(request), linkSecret)) return undefined;
  const told = JSON.parse(Buffer.from(String(request.headers[VISITOR] ?? ""), "base64url").toString());
  checkOptions("a link", told, visitorRules);
  return told;
}

/** The most characters of a first message that is looked at. */
const MOST_READ = 64 * 1024;

/** The session that a first message names (P-XAT-2); undefined where it names none. */
export function namedSession(text: string): string | undefined {
  if (text.length > MOST_READ) return undefined;
  try {
    const { method, params } = Object(JSON.parse(text));
    const id: unknown = method === "initialize" ? params?.session?.id : undefined;
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}
