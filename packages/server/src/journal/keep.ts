import { dirname } from "node:path";
import { checkOptions, defined, type OptionRules, option } from "@askwire/protocol/internal";
import type { History } from "../agent/agent-session.js";
import { Observation } from "../measures/observation.js";
import type { ObservedCommit, ServerObserver } from "../measures/observer.js";
import { type Clock, systemClock } from "../runtime/clock.js";
import { type Log, standardErrorLog } from "../runtime/log.js";
import { type Disk, nodeDisk } from "./disk.js";
import { openDiskHistory } from "./disk-history.js";
import { openDiskLines } from "./disk-lines.js";
import { type Flush, flushes, type Journal, type WhenNotKept, whenNotKeptWords } from "./journal.js";
import { keptSession } from "./kept-session.js";
import { notePath, sessionFolder } from "./places.js";

/** Where and how sessions are kept. */
export interface KeepOptions {
  /** The folder of all sessions: see {@link shareFolder}. */
  readonly share: string;
  readonly workDir: string;
  /** The end that sessions outlive. Default: `disk`. */
  readonly flush?: Flush;
  /** The treatment of requests while the disk cannot be written. Default: `refuse`. */
  readonly whenNotKept?: WhenNotKept;
  /** Default: pino on standard error, from `warn` on. */
  readonly log?: Log;
  /** Default: the system's. */
  readonly clock?: Clock;
  /**
   * Told of each commit of a journal's records to the disk, by `committed`: how many, how long that took. Give the
   * `observe` of the server. Default: nothing is measured. With `flush: "process"` there are no commits.
   */
  readonly observe?: readonly Pick<ServerObserver, "committed">[];
  /** The disk that they lie on, for tests that let it fail. Default: this machine's. */
  readonly disk?: Disk;
}

const keepRules: OptionRules<KeepOptions> = {
  share: option.required(option.text),
  workDir: option.required(option.text),
  flush: option.oneOf(flushes),
  whenNotKept: option.oneOf(whenNotKeptWords),
  log: option.object,
  clock: option.object,
  observe: option.list,
  disk: option.object,
};

/**
 * Keeps the sessions of a work directory, or of the one that a session names for itself, under a share folder (P-DUR-1
 * to P-DUR-10). Opens the journal and the history of the session with that id. Flushing or closing the journal does
 * both.
 *
 * @throws TypeError at once for an option that is unknown or does not fit, later if the id is no name for a folder.
 * @throws LocalError INVALID_STATE if a process has the session open, or a later version of our records is in it.
 * @throws the system's error if the folder or its files cannot be made or read.
 */
export function keepIn(
  options: KeepOptions,
): (id: string, workDir?: string) => { readonly journal: Journal; readonly history: History } {
  checkOptions("keepIn", options, keepRules);
  const { share, workDir, flush = "disk", whenNotKept } = options;
  const { log = standardErrorLog(), clock = systemClock, disk = nodeDisk, observe = [] } = options;
  const observation = observe.some((one) => one.committed) ? new Observation(observe, log) : undefined;
  const committed = observation && ((commit: ObservedCommit) => observation.tell("committed", commit));
  return (id, own = workDir) => {
    const folder = sessionFolder({ share, workDir: own, id });
    const place = { folder, disk, syncs: flush !== "process", log, clock };
    const lines = openDiskLines({ ...place, above: foldersAbove(folder), committed });
    // The list of all sessions is of this machine's disk.
    if (disk === nodeDisk) notePath({ share, workDir: own });
    return keptSession(lines, () => openDiskHistory(place), { log, clock, ...defined({ whenNotKept }) });
  };
}

/** The folders from a session's up to the place of the share folder. */
function foldersAbove(folder: string): string[] {
  const sessions = dirname(dirname(folder));
  const share = dirname(sessions);
  return [dirname(share), share, sessions, dirname(folder)];
}
