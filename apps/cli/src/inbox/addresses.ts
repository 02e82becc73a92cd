/** The address of a server of which no session is meant, of any address that it printed. */
export const lobbyAddress = (address: string): string =>
  address.replace(/\/wire(?:\/[^/#?]*)?(?=[#?]|$)/, "/wire");

/** The address of a session of that server. */
export const sessionAt = (address: string, id: string): string =>
  lobbyAddress(address).replace(/\/wire(?=[#?]|$)/, `/wire/${encodeURIComponent(id)}`);
