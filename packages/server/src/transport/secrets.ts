import type { IncomingMessage } from "node:http";
import { type ClientRole, clientRoles, type Principal } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { personProblem } from "../runtime/person-name.js";
import type { Device, Devices } from "./devices.js";
import type { NamedToken, NamedTokens } from "./named-tokens.js";
import { newToken, sameToken, sentToken, tokenProblem } from "./token.js";

/** A client that is let in. */
export interface Visitor {
  /** By which its connections are found once it is revoked; undefined for a credential that is not revoked. */
  readonly revocable?: string;
  /** True for a client with the gateway's own token, which may do everything. */
  readonly isOwner?: boolean;
  readonly role?: ClientRole | undefined;
  /** Who it is; undefined where nobody knows. */
  readonly principal?: Principal | undefined;
  /** The roles that the door knows of the person (P-XTO-4). Default: none. */
  readonly roles?: readonly string[] | undefined;
  /** The tenant that its credential is of, empty for none; undefined for a credential that goes with any (P-TEN-2). */
  readonly tenant?: string | undefined;
}

/** What is let in besides the tokens of the gateway. */
interface FurtherSecrets {
  readonly devices?: Devices;
  readonly tokens?: NamedTokens;
}

/** By what the connections of a device, or of a secret of a named token, are found. */
export const revocable = {
  device: (id: string) => `device ${id}`,
  token: (key: string) => `token ${key}`,
};

/** The tokens that let clients in: those of the gateway, of persons, and of devices. */
export class Secrets {
  readonly token: string;
  readonly answerToken: string | undefined;
  readonly #further: FurtherSecrets;

  /** @throws TypeError if a token is too weak, or both are one. */
  constructor(token = newToken(), answerToken?: string | true, further: FurtherSecrets = {}) {
    this.token = token;
    this.answerToken = answerToken === true ? newToken() : answerToken;
    this.#further = further;
    for (const [name, secret] of Object.entries({ token, answerToken: this.answerToken })) {
      const problem = secret === undefined ? undefined : tokenProblem(secret);
      if (problem !== undefined) throw new TypeError(`${name}: ${problem}`);
    }
    if (token === this.answerToken) throw new TypeError("answerToken: expected another than the token");
  }

  /** The client that asks for an upgrade; undefined without a token that is right. */
  visitor(request: IncomingMessage): Visitor | undefined {
    const sent = sentToken(request);
    // Both are compared in any case, so that the time does not reveal which was near.
    const answers = this.answerToken !== undefined && sameToken(sent, this.answerToken);
    const isOwn = sameToken(sent, this.token) || answers;
    if (isOwn) return answers ? { role: "answer" } : { isOwner: true };
    if (sent === undefined) return undefined;
    const named = matched("tokens", "key", this.#further.tokens?.match(sent));
    if (named !== undefined) return byName(named);
    const device = matched("devices", "id", this.#further.devices?.match(sent));
    return device && byDevice(device);
  }

  /** @throws TypeError for the role `answer` without an `answerToken`. */
  ofRole(role: ClientRole | undefined): string {
    const secret = role === "answer" ? this.answerToken : this.token;
    if (secret === undefined) throw new TypeError("role: expected a gateway with an answerToken");
    return secret;
  }
}

/**
 * What a program has for a secret; undefined for nothing.
 *
 * @throws TypeError for what is neither, such as a promise: it would let in everybody.
 */
function matched<Found extends { readonly role?: ClientRole | undefined }>(
  of: keyof FurtherSecrets,
  key: string & keyof Found,
  found: Found | null | undefined,
): Found | undefined {
  if (found === undefined || found === null) return undefined;
  const isRole = found.role === undefined || found.role in clientRoles;
  if (typeof found === "object" && typeof found[key] === "string" && isRole) return found;
  throw new TypeError(`${of}.match: expected an object with ${key} and a role that there is, or undefined`);
}

const byName = ({ key, name, role, tenant = "" }: NamedToken): Visitor => ({
  revocable: revocable.token(key),
  role,
  tenant,
  principal: isShowable(name) ? { id: name, name, via: "token" } : undefined,
});

/** True for a name that may be told; another one is left out, and its owner let in without it. */
const isShowable = (name: string | undefined): name is string =>
  name !== undefined && personProblem(name) === undefined;

function byDevice({ id, role, name, person }: Device): Visitor {
  const [known, device] = [person, name].filter(isShowable);
  const principal: Principal | undefined =
    known === undefined || !isShowable(id)
      ? undefined
      : { id, name: known, via: "device", ...defined({ device }) };
  return { revocable: revocable.device(id), role, principal, tenant: "" };
}
