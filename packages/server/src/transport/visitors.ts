import type { IncomingMessage } from "node:http";
import { type ClientRole, clientRoles, type Principal } from "@askwire/protocol";
import { checkOptions, errorText, type OptionRules, option } from "@askwire/protocol/internal";
import type { Log } from "../runtime/log.js";
import { checkPrincipal, principalRule } from "../server/principal.js";
import type { Secrets, Visitor } from "./secrets.js";
import type { Tenants } from "./tenants.js";
import { HeaderTrust, isOfThisMachine, type Refusal, type TrustedHeader } from "./trusted-header.js";

/** A person whom a program lets in by what else it knows of them (P-WHO-3). */
export interface Admission {
  /** Who it is: id and name of 1 to 200 characters without controls. */
  readonly principal: Principal;
  /** `answer` for a person who may only answer (P-XRL-1). Default: every method. */
  readonly role?: ClientRole;
  /** The tenant of the person (P-TEN-2). Default: none. */
  readonly tenant?: string;
}

const admissionRules: OptionRules<Admission> = {
  principal: option.required(principalRule),
  role: option.oneOf(Object.keys(clientRoles)),
  tenant: option.text,
};

/** By what a gateway knows who somebody is. */
interface VisitorRules {
  readonly owner?: string;
  readonly trustHeader?: TrustedHeader;
  readonly authenticate?: (request: IncomingMessage) => Admission | undefined;
  readonly tenants?: Tenants;
}

/** Says who asks for an upgrade, and whether they are let in (P-SEC-1, P-WHO-3 to P-WHO-5). */
export class Visitors {
  readonly #secrets: Secrets;
  readonly #rules: VisitorRules;
  readonly #trust: HeaderTrust | undefined;
  readonly #log: Log;

  /** @throws TypeError for a trusted header or an address that cannot be one. */
  constructor(secrets: Secrets, rules: VisitorRules, log: Log) {
    this.#secrets = secrets;
    this.#log = log;
    this.#rules = rules;
    if (rules.owner !== undefined) checkPrincipal("owner", { id: "local", name: rules.owner, via: "local" });
    try {
      this.#trust = rules.trustHeader && new HeaderTrust(rules.trustHeader);
    } catch (error) {
      throw new TypeError(`trustHeader: ${(error as Error).message}`);
    }
  }

  /**
   * The client that asks for an upgrade; undefined without a credential that is right. Nobody is let in where a function
   * of the program fails, and only the log says how.
   */
  visitor(request: IncomingMessage): Visitor | Refusal | undefined {
    try {
      const visitor = this.#visitor(request);
      return visitor === undefined || "refused" in visitor ? visitor : this.#inTenant(request, visitor);
    } catch (error) {
      this.#log.error({ error: errorText(error) }, "nobody is let in: it cannot be said who somebody is");
      return { refused: "the server cannot say who you are" };
    }
  }

  #visitor(request: IncomingMessage): Visitor | Refusal | undefined {
    const byToken = this.#byToken(request);
    const person = this.#trust?.person(request);
    if (person === undefined) return byToken ?? this.#byProgram(request);
    if ("refused" in person) return person;
    const roles = this.#trust?.groups(request) ?? [];
    if ("refused" in roles) return roles;
    // A token says what may be done, and the proxy who does it.
    return byToken === undefined
      ? { principal: person, role: this.#trust?.role, roles }
      : { ...byToken, isOwner: false, principal: person, roles };
  }

  /** The client in its tenant, which a proxy may say, or the refusal of one that is not served (P-TEN-2, P-TEN-3). */
  #inTenant(request: IncomingMessage, visitor: Visitor): Visitor | Refusal {
    const isOfProxy = visitor.principal?.via === "header" && visitor.tenant === undefined;
    const said = this.#trust?.tenant(request, isOfProxy);
    if (typeof said === "object") return said;
    if (said !== undefined && said !== (visitor.tenant ?? said))
      return { refused: "the token is of another tenant than the proxy says: use one of that tenant" };
    const tenant = said ?? visitor.tenant ?? "";
    if (tenant === "") return visitor;
    if (this.#rules.tenants?.has(tenant) !== true)
      return { refused: `the tenant ${tenant} is not served here: let the operator name it` };
    // A code for a device would let it in without the tenant.
    return { ...visitor, tenant, isOwner: false };
  }

  #byToken(request: IncomingMessage): Visitor | undefined {
    const visitor = this.#secrets.visitor(request);
    const { owner } = this.#rules;
    if (visitor?.isOwner !== true || owner === undefined) return visitor;
    const isLocal = isOfThisMachine(request) && this.#trust?.isProxy(request) !== true;
    return isLocal ? { ...visitor, principal: { id: "local", name: owner, via: "local" } } : visitor;
  }

  #byProgram(request: IncomingMessage): Visitor | undefined {
    const admitted = this.#rules.authenticate?.(request);
    if (admitted === undefined) return undefined;
    checkOptions("authenticate", admitted, admissionRules);
    const { principal, role, tenant = "" } = admitted;
    return { principal: { ...principal }, role, tenant };
  }
}
