/** The wire version that every peer of ours declares. Compared number by number, never as text (P-VER-1). */
export const PROTOCOL_VERSION = "1.10";

/** The version assumed of a peer without `initialize`, or with an unreadable version (P-VER-3). */
export const ASSUMED_VERSION = "1.2";

/**
 * Compares two dotted versions component by component: `"1.10"` is later than `"1.9"`.
 *
 * @returns a negative number, 0 or a positive number, as for `Array.prototype.sort`.
 */
export function compareVersions(left: string, right: string): number {
  const a = left.split(".").map(Number);
  const b = right.split(".").map(Number);
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Takes the version that a peer declared if it can be read, else {@link ASSUMED_VERSION}. */
export function effectiveVersion(declared: string | undefined): string {
  return declared !== undefined && /^\d+(\.\d+)*$/.test(declared) ? declared : ASSUMED_VERSION;
}

/** The WebSocket subprotocol that a server selects (P-SEC-2). */
export const SUBPROTOCOL = "askwire.v1";
/** The prefix of the subprotocol that carries a browser's token, after it in base64url (P-SEC-2). */
export const TOKEN_SUBPROTOCOL = "askwire.token.";
