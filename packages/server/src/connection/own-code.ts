import { type IncomingCall, type PairingCode, WireError } from "@askwire/protocol";
import { invalidParams } from "@askwire/protocol/internal";
import { personProblem } from "../runtime/person-name.js";
import type { MadeCode, MakePairingCode, Pairing } from "../session/pairing-code.js";

/** The wish of a client for a code: the role of its device, and the name of the person who has it. */
export interface OwnCodeWanted {
  readonly role?: "answer" | undefined;
  readonly person?: string | undefined;
}

/** The code of a connection, which has one at a time and ends it with itself. */
export class OwnCode {
  readonly #pairing: Pairing;
  #made: MadeCode | undefined;

  constructor(pairing: Pairing) {
    this.#pairing = pairing;
  }

  readonly methods = {
    create_pairing_code: ({ role, person }: OwnCodeWanted = {}): PairingCode => {
      const make = this.#allowed();
      const problem = person === undefined ? undefined : personProblem(person);
      if (problem !== undefined) throw invalidParams("create_pairing_code", `person: ${problem}`);
      this.stop();
      const made = make(role, person);
      if (made === undefined) {
        const data = { reason: "unreachable" };
        throw new WireError("InvalidState", "no other machine can reach this server", { data });
      }
      this.#made = made;
      const { code, address, expiresInMs: expires_in_ms } = made;
      return { code, address, expires_in_ms };
    },
    await_pairing: async ({ code }: { readonly code: string }, call: IncomingCall) => {
      this.#allowed();
      const made = this.#made;
      if (made?.code !== code) throw new WireError("UnknownRequest", "this connection has no such code");
      call.onCancel(() => made.end());
      const device = await made.over;
      return device === undefined ? {} : { device };
    },
  };

  #allowed(): MakePairingCode {
    if (this.#pairing !== "refused") return this.#pairing;
    throw new WireError("NotAllowed", "pairing codes are for clients with the server's own token");
  }

  /** Ends the code. */
  stop(): void {
    this.#made?.end();
    this.#made = undefined;
  }
}

/** True where a server tells a client that it may make codes (P-XNG-2). */
export const declaresPairing = (pairing: Pairing | undefined): { pairing?: true } =>
  pairing === undefined || pairing === "refused" ? {} : { pairing: true };
