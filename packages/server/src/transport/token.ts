import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { TOKEN_SUBPROTOCOL } from "@askwire/protocol";
import { BoundedMap } from "@askwire/protocol/internal";

/** A token that nobody guesses: 32 random bytes. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Describes the weakness of a token that could be guessed, or returns undefined. 22 characters are 128 random bits. */
export function tokenProblem(token: string): string | undefined {
  const strong = /^[\w-]{22,}$/.test(token);
  return strong ? undefined : "expected at least 22 characters of base64url (letters, digits, - and _)";
}

/** The token that a client sent: as a bearer, or as a subprotocol. Never from the address (P-SEC-2). */
export function sentToken({ headers }: IncomingMessage): string | undefined {
  const bearer = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? "")?.[1];
  if (bearer !== undefined) return bearer;
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  const carried = offered.find((name) => name.startsWith(TOKEN_SUBPROTOCOL));
  return carried === undefined
    ? undefined
    : Buffer.from(carried.slice(TOKEN_SUBPROTOCOL.length), "base64url").toString();
}

/** Compares in a time that does not depend on where two tokens differ. */
export function sameToken(sent: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(sent ?? ""), digest(expected)) && sent !== undefined;
}

/** Counts wrong tokens by address, to make guessing slow. The right token is always let in (P-SEC-3). */
export interface TokenGuard {
  /** True if this address has used up its tries. */
  blocked(address: string): boolean;
  wrong(address: string): void;
}

/** The most addresses that are remembered. */
const ADDRESSES = 10_000;

export function createTokenGuard(now: () => number, triesPerMinute = 10): TokenGuard {
  const tries = new BoundedMap<string, { since: number; count: number }>(ADDRESSES);
  const current = (address: string) => {
    const entry = tries.get(address);
    return entry !== undefined && now() - entry.since < 60_000 ? entry : undefined;
  };
  return {
    blocked: (address) => (current(address)?.count ?? 0) >= triesPerMinute,
    wrong(address) {
      const entry = current(address);
      if (entry !== undefined) {
        entry.count += 1;
        return;
      }
      tries.delete(address);
      tries.set(address, { since: now(), count: 1 });
    },
  };
}
