import { visibleLine } from "@askwire/client/text";
import type { AskwireServer } from "@askwire/server";
import { watchGathered } from "./gathered.js";

/**
 * Reports in a line each session that begins to wait for a person, with the oldest question or approval. Returns a
 * function that ends it.
 */
export function tellWaiting(server: AskwireServer, write: (line: string) => void): () => void {
  /** The request that was told last, by session. */
  const told = new Map<string, string>();

  function look(): void {
    const sessions = server.listSessions();
    for (const { id, title, oldest } of sessions) {
      if (oldest === undefined) told.delete(id);
      else if (told.get(id) !== oldest.request_id) {
        told.set(id, oldest.request_id);
        write(`askwire: ${visibleLine(title ?? id)} waits for an answer: ${visibleLine(oldest.text)}\n`);
      }
    }
    const live = new Set(sessions.map(({ id }) => id));
    for (const id of told.keys()) if (!live.has(id)) told.delete(id);
  }

  return watchGathered(server, look);
}
