import { sessionsInOrder } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import type { HeardSession } from "@askwire/protocol";
import type { LineFeed } from "../lines/line-readers.js";

/** The answer of a person to a list of sessions: one of them, or a new one. */
export type SessionChoice = { readonly id: string } | "new";

/**
 * Shows the sessions of a server, those that wait for a person first, and takes the number of one. An empty line shows
 * them again as they are then.
 *
 * @param newest the sessions as they are now.
 * @returns undefined at the end of the input.
 */
export async function chooseSession(
  newest: () => Promise<readonly HeardSession[]>,
  { lines, tell, words }: { lines: Pick<LineFeed, "next">; tell(line: string): void; words: ChatWords },
): Promise<SessionChoice | undefined> {
  for (;;) {
    const sessions = sessionsInOrder(await newest());
    if (sessions.length === 0) return "new";
    sessions.forEach((session, index) => void tell(sessionLine(session, index + 1, Date.now(), words)));
    tell(words.whichSession(sessions.length));
    const line = await lines.next("> ").catch(() => undefined);
    if (line === undefined) return undefined;
    const said = line.trim();
    if (said === "new") return "new";
    const chosen = /^\d+$/.test(said) ? sessions[Number(said) - 1] : undefined;
    if (chosen !== undefined) return { id: chosen.id };
    if (said !== "") tell(words.noSuchSession(visibleLine(said)));
  }
}

function sessionLine(session: HeardSession, number: number, now: number, words: ChatWords): string {
  const { id, title = words.untitled, folder = "", host = "", state, oldest, open = 0 } = session;
  const place = [folder, host].filter((part) => part !== "").join(words.onHost);
  const name = `${String(number).padStart(3)}  ${visibleLine(title)} (${visibleLine(place === "" ? id : place)})`;
  if (oldest === undefined) return `${name}${words.colon}${words.sessionState(state)}`;
  const minutes = Math.max(0, Math.floor((now - Date.parse(oldest.since)) / 60_000));
  return `${name}${words.colon}${words.waitsFor(open, minutes)}${words.colon}${visibleLine(oldest.text)}`;
}
