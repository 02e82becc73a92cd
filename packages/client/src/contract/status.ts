import type { StatusUpdate } from "@askwire/protocol";

/** Context, tokens and plan mode by the server's last word; null for values not told yet. */
export type SessionStatus = Readonly<StatusUpdate>;

/** Merges an update into the status. A null means no change (P-CLI-8). */
export const updated = (status: SessionStatus, update: Partial<StatusUpdate>): SessionStatus => ({
  ...status,
  ...Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null)),
});
