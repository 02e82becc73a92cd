import type { ClientSession } from "@askwire/client";
import type { HeardSession } from "@askwire/protocol";

/** Calls `told` with the sessions of a server whenever they change, and with none at the end of the connection. */
export async function watchSessions(
  session: ClientSession,
  told: (sessions: readonly HeardSession[]) => void,
): Promise<void> {
  if (session.server?.capabilities?.askwire?.watch !== true) return;
  try {
    for await (const sessions of session.watchSessions()) told(sessions);
  } catch {
    // The line of the connection says why it is over.
  }
  told([]);
}
