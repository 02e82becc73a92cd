import { type ClientRole, WireError } from "@askwire/protocol";
import { grantOf } from "../connection/grant.js";
import type { Session } from "../session/session.js";
import type { KeptFinder } from "./kept-finder.js";
import type { SessionTable } from "./session-table.js";

/** A client that comes to a node for a session that no node has. */
export interface TakeOver {
  /** Default: it may call every method. */
  readonly role?: ClientRole | undefined;
  /** True for one that names the stream in which it has been. */
  readonly resumes: boolean;
  /** True for one whose address names the session. */
  readonly isAddressed: boolean;
}

/**
 * Opens a session that no node has for a client, without `open` (P-NOD-3): one in which something is open for whoever
 * may enter, any other for a client that has been in it, or that comes to its address and may prompt.
 *
 * @returns undefined where it is not opened so.
 * @throws as `SessionTable.open`: WireError InvalidState where a process has it.
 */
export async function takenOver(
  { sessions, kept }: { readonly sessions: SessionTable; readonly kept: Pick<KeptFinder, "row"> },
  id: string,
  { role, resumes, isAddressed }: TakeOver,
): Promise<Session | undefined> {
  const there = hereOf(sessions, id);
  if (there !== undefined) return there;
  if (kept.row === undefined || !sessions.mayBeKept(id)) return undefined;
  const mayPrompt = grantOf(role).may("prompt");
  const row = await kept.row(id);
  if (row === "elsewhere") return undefined;
  // The session may have come while the store was asked.
  const come = hereOf(sessions, id);
  if (come !== undefined) return come;
  if (row === undefined) return resumes && mayPrompt ? anew(sessions, id) : undefined;
  const isLeft = row.open.length > 0 || row.turnId !== undefined;
  return isLeft || resumes || (isAddressed && mayPrompt) ? sessions.open(id) : undefined;
}

/** The session where it is open here, or is being opened. */
const hereOf = (sessions: SessionTable, id: string): Session | Promise<Session> | undefined =>
  sessions.find(id) ?? (sessions.isComing(id) ? sessions.open(id) : undefined);

/** A session in which nothing was kept before its node ended: there is nothing to go on with but its id. */
async function anew(sessions: SessionTable, id: string): Promise<Session | undefined> {
  try {
    return await sessions.open(id);
  } catch (error) {
    if (error instanceof WireError && error.is("InvalidState")) return undefined;
    throw error;
  }
}
