import type { StatusUpdate } from "@askwire/protocol";

/** Context, tokens and plan mode as the server last said; null for what it has not said yet. */
export type SessionStatus = Readonly<StatusUpdate>;

/** A null says that nothing has changed (P-CLI-8). */
export const updated = (status: SessionStatus, update: Partial<StatusUpdate>): SessionStatus => ({
  ...status,
  ...Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null)),
});
