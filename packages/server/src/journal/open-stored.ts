import { refuseLater } from "./entries.js";
import type { JournalOptions } from "./journal.js";
import { keptSession } from "./kept-session.js";
import { Lane, type LaneOptions } from "./lane.js";
import { type Left, LeftReading } from "./left.js";
import { linesOfPart, storedHistory, storedLines } from "./stored-lines.js";
import type { StoredSession } from "./stored-session.js";

/** The surroundings of a session in a store. */
export type StoredOptions = LaneOptions & Pick<JournalOptions, "whenNotKept">;

/**
 * The kept part of a session that was taken from a store. Gives the session back where it cannot be opened.
 *
 * @throws LocalError INVALID_STATE for records of a later version (P-DUR-10).
 * @throws the error of a store that cannot be read.
 */
export async function openStored(
  stored: StoredSession,
  options: StoredOptions,
): Promise<ReturnType<typeof keptSession>> {
  try {
    const left = await leftIn(stored);
    refuseLater(stored.name, left.version);
    const lane = new Lane(stored, options);
    const lines = storedLines(stored, lane, options.clock);
    const history = stored.history.map((text, at) => ({ number: at + 1, at, text }));
    const openHistory = () => ({ name: stored.name, lines: storedHistory(lane), left: history });
    return keptSession({ lines, left }, openHistory, options);
  } catch (error) {
    await stored.release().catch(() => {});
    throw error;
  }
}

async function leftIn(stored: StoredSession): Promise<Left> {
  const { count } = stored;
  const reading = new LeftReading(count);
  const wants = (beginning: string) => reading.wants(beginning);
  for await (const { at, text } of linesOfPart(stored, count, { wants })) reading.take(text ?? "", at);
  const from = reading.unfinishedFrom;
  const unfinished = [];
  if (from !== undefined)
    for await (const line of linesOfPart(stored, count, { from })) unfinished.push(line);
  return reading.left(unfinished);
}
