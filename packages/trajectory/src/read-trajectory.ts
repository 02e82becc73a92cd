import { type JournalReading, readJournal } from "@askwire/server/internal";
import type { RecordedSession } from "./examples.js";
import { type NoTrajectory, SessionMessages } from "./session-messages.js";
import type { Trajectory } from "./trajectory.js";

/**
 * Reads the trajectory of a session out of its journal, a record at a time (P-TRJ-2). `empty`: the journal has no words
 * of a model. `too_long`: over 16,777,216 UTF-16 units, where reading ends.
 *
 * @param session the session's id.
 * @throws the system's error if the file cannot be read.
 */
export async function readTrajectory(
  file: string,
  session: string,
  reading: JournalReading = {},
): Promise<Trajectory | NoTrajectory> {
  const read = await readRecordedSession(file, session, reading);
  return typeof read === "string" ? read : read.trajectory;
}

/**
 * Reads a session out of its journal as {@link readTrajectory} does, with what the model was sent at each step.
 *
 * @throws the system's error if the file cannot be read.
 */
export async function readRecordedSession(
  file: string,
  session: string,
  reading: JournalReading = {},
): Promise<RecordedSession | NoTrajectory> {
  const gathered = new SessionMessages();
  for await (const record of readJournal(file, reading)) if (!gathered.take(record)) break;
  return gathered.finish(session);
}
