import { LocalError } from "@askwire/protocol";
import { readMovedMark } from "./moved-mark.js";
import { sessionPlaces } from "./places.js";

/** A session whose words may be beside its place, where no list of sessions looks. */
export interface CutOffMove {
  readonly id: string;
  readonly folder: string;
  /** The words for a person, with the next step. */
  readonly why: string;
}

/**
 * The sessions that were on their way to the disk when the move was cut off, and those whose mark cannot be read.
 *
 * @param place of the sessions; without `workDir` those of every folder.
 * @throws the system's error if a folder cannot be read.
 */
export function* cutOffMoves(place: {
  readonly share: string;
  readonly workDir?: string | undefined;
}): Generator<CutOffMove> {
  for (const { id, folder } of sessionPlaces(place)) {
    const why = whyCutOff(folder);
    if (why !== undefined) yield { id, folder, why };
  }
}

function whyCutOff(folder: string): string | undefined {
  try {
    const mark = readMovedMark(folder);
    return mark?.state === "coming" ? mark.why : undefined;
  } catch (error) {
    if (error instanceof LocalError) return error.message;
    // The entry is no folder, or has no mark that is a file.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}
