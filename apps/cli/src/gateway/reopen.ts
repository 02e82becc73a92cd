import { join } from "node:path";
import { connect } from "@askwire/client";
import { linkedPair, QuestionInputs, validate } from "@askwire/protocol";
import { type AskwireServer, type Session, sessionFolder } from "@askwire/server";
import { isDecided, JOURNAL_FILE, readJournal } from "@askwire/server/internal";
import { isHandle } from "../mcp/handles.js";

/** Questions under a handle, as the journal has them. */
interface Kept {
  readonly key: string;
  /** The agent that asked. */
  readonly name: string;
  readonly questions: unknown;
}

/**
 * Asks again the questions that the end of an earlier gateway took away, under the same handles and in the same names
 * (P-XAK-8). So a person has them back, and an agent whose process ended too comes back with the handle alone.
 *
 * @param place the folders by which the session is kept.
 */
export async function reopen(
  server: AskwireServer,
  session: Session,
  place: { readonly share: string; readonly workDir: string },
): Promise<void> {
  const journal = join(sessionFolder({ ...place, id: session.id }), JOURNAL_FILE);
  for (const { key, name, questions } of await takenAway(journal)) {
    const read = validate(QuestionInputs, questions);
    if (!read.ok) continue;
    const { left, right } = linkedPair();
    server.connect(left, { session });
    const asker = await connect(right, { client: { name } });
    await asker.ask({ key, questions: read.value, wait: false, onLost: "keep" });
    await asker.close();
  }
}

/** The questions under handles that the journal has no decision of. */
async function takenAway(journal: string): Promise<readonly Kept[]> {
  const byKey = new Map<string, Kept>();
  const byRequest = new Map<string, Kept>();
  for await (const { type, payload } of readJournal(journal)) {
    const { request_id, ...rest } = payload as { readonly request_id: string } & Record<string, unknown>;
    const kept = byRequest.get(request_id);
    if (type === "AskOpened" && isHandle(rest.key as string)) {
      byRequest.set(request_id, { key: rest.key as string, name: String(rest.name), questions: [] });
    } else if (type === "InteractionOpened" && kept !== undefined) {
      byKey.set(kept.key, { ...kept, questions: rest.questions });
    } else if (type === "InteractionSettled" && kept !== undefined) {
      byRequest.delete(request_id);
      if (isDecided(rest.outcome as never)) byKey.delete(kept.key);
    }
  }
  return [...byKey.values()];
}
