import type { HeardOrigin } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";

/** An origin without the members that are not known; undefined for one without any. */
export function knownOrigin({ host, folder, tool, subagent }: HeardOrigin): HeardOrigin | undefined {
  const known = defined({ host, folder, tool, subagent });
  return Object.keys(known).length === 0 ? undefined : known;
}

/** The connected program that asks by `ask` (P-XAK-2). */
export interface AskingProgram {
  /** The program's own name of the ask. */
  readonly key: string;
  readonly by: { readonly name: string; readonly connection: string };
  readonly origin?: HeardOrigin | undefined;
  /** The id of the client that is not asked, since it is the one that asks; undefined if it is asked too. */
  readonly unasked?: string | undefined;
  /** The id of the client whose loss withdraws the request; undefined where it stays (P-XAK-6). */
  readonly bound?: string | undefined;
  /** The calls that wait for the outcome; undefined as long as there never were several (P-XAK-10). */
  calls?: number;
}
