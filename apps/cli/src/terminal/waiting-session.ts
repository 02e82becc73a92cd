import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import type { FoundSession } from "@askwire/server";
import type { LineFeed } from "../lines/line-readers.js";

interface Place {
  readonly lines: Pick<LineFeed, "next" | "interactive">;
  tell(line: string): void;
  readonly words: ChatWords;
  /** The name of the agent that begins otherwise. */
  readonly agent: string | undefined;
}

/**
 * Says which sessions of the folder wait for a person, and offers to resume the newest one of the same agent. A
 * pipe is told alone, since its lines are words for the agent.
 *
 * @param sessions the one that was active last first.
 * @returns the id of the session to resume; undefined to begin another.
 */
export async function offerWaiting(
  sessions: readonly FoundSession[],
  { lines, tell, words, agent }: Place,
): Promise<string | undefined> {
  const found = lines.interactive ? sessions.find((session) => session.agent === agent) : undefined;
  const [request] = found?.open ?? [];
  if (found === undefined || request === undefined) {
    if (sessions.length > 0) tell(words.waitingElsewhere(sessions.length));
    return undefined;
  }
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(request.since)) / 60_000));
  tell(words.waitsHere(minutes, visibleLine(request.text)));
  tell(words.goOn);
  for (;;) {
    const line = await lines.next("> ").catch(() => undefined);
    if (line === undefined) return undefined;
    if (/^\s*(?:y(?:es)?)?\s*$/i.test(line)) return found.id;
    if (/^\s*no?\s*$/i.test(line)) return undefined;
    tell(words.goOn);
  }
}
