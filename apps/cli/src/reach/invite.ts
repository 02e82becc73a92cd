import { isLoopback, type MakePairingCode, type NamedDevice } from "@askwire/server";
import { CODE_MINUTES, type PairingCodes } from "./pairing-codes.js";

/**
 * Makes codes for clients that ask for one, such as a page at the desk.
 *
 * @param origin the address that others reach, once it is known.
 */
export const inviteBy =
  (codes: Pick<PairingCodes, "make" | "end">, origin: () => string): MakePairingCode =>
  (role, person) => {
    const address = origin();
    if (isLoopback(new URL(address).hostname)) return undefined;
    let code = "";
    const over = new Promise<NamedDevice | undefined>((resolve) => {
      code = codes.make({ role, person }, resolve);
    });
    return { code, address, over, expiresInMs: CODE_MINUTES * 60_000, end: () => codes.end(code) };
  };
