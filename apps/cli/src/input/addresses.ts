import { usageFailure } from "./failure.js";

/** The address of a server of which no session is meant, of any address that it printed. */
export const lobbyAddress = (address: string): string =>
  address.replace(/\/wire(?:\/[^/#?]*)?(?=[#?]|$)/, "/wire");

/** The address of a session of that server. */
export const sessionAt = (address: string, id: string): string =>
  lobbyAddress(address).replace(/\/wire(?=[#?]|$)/, `/wire/${encodeURIComponent(id)}`);

/** @throws Failure for a text that is no address of a server, without its secret. */
export function checkedAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && /^wss?:$/.test(url.protocol)) return url;
  throw usageFailure(
    `--connect ${address.replace(/#.*/s, "#…")}: expected ws://host:port/wire/<id>#<token>, as the server prints it`,
  );
}

/** True for an address that has its token. */
export const hasToken = (address: string): boolean => /#./s.test(address);
