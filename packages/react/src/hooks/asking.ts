import type { ClientSession } from "@askwire/client";

type Switched = Pick<ClientSession, "server" | "may" | "doNotAsk" | "setDoNotAsk">;

/**
 * True where the person said that nobody is to be asked, false where questions are asked. Undefined where this client
 * cannot switch that: the server is too old, or the client may only answer (P-XDN-1).
 */
export const askingSwitch = ({ server, may, doNotAsk }: Switched): boolean | undefined =>
  may("prompt") && server?.capabilities?.askwire?.do_not_ask === true ? doNotAsk : undefined;

/**
 * Says for a session that begins what the person has set for all: to be asked, or not. Undefined says nothing, so that
 * the session stays as it is. Rejects as the session's `setDoNotAsk` does.
 */
export async function beginAsking(session: Switched, asks: boolean | undefined): Promise<void> {
  const now = askingSwitch(session);
  if (asks !== undefined && now !== undefined && now === asks) await session.setDoNotAsk(!asks);
}
