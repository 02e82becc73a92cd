import type { IncomingMessage } from "node:http";
import type { ClientRole } from "@askwire/protocol";
import type { Devices } from "./devices.js";
import { newToken, sameToken, sentToken, tokenProblem } from "./token.js";

/** A client that its token lets in. */
export interface Visitor {
  /** The id of its device; undefined for a client with a token of the gateway. */
  readonly id?: string;
  readonly role?: ClientRole | undefined;
}

/** The tokens that let clients in: those of the gateway, and those of devices. */
export class Secrets {
  readonly token: string;
  readonly answerToken: string | undefined;
  readonly #devices: Devices | undefined;

  /** @throws TypeError if a token is too weak, or both are one. */
  constructor(token = newToken(), answerToken?: string | true, devices?: Devices) {
    this.token = token;
    this.answerToken = answerToken === true ? newToken() : answerToken;
    this.#devices = devices;
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
    if (isOwn) return answers ? { role: "answer" } : {};
    return sent === undefined ? undefined : this.#devices?.match(sent);
  }

  /** @throws TypeError for the role `answer` without an `answerToken`. */
  ofRole(role: ClientRole | undefined): string {
    const secret = role === "answer" ? this.answerToken : this.token;
    if (secret === undefined) throw new TypeError("role: expected a gateway with an answerToken");
    return secret;
  }
}
