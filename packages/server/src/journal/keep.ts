import type { History } from "../agent/agent-session.js";
import { type Clock, systemClock } from "../runtime/clock.js";
import { type Log, standardErrorLog } from "../runtime/log.js";
import { type Disk, nodeDisk } from "./disk.js";
import { type KeptHistory, openHistory } from "./history.js";
import { type Journal, openJournal } from "./journal.js";
import { notePath, sessionFolder } from "./places.js";

/**
 * Keeps the sessions of a work directory under a share folder. Opens the journal and the history of the session with
 * that id. Flushing or closing the journal does both.
 *
 * @throws TypeError if the id is no name for a folder.
 * @throws LocalError INVALID_STATE if a process has the session open.
 * @throws the system's error if the folder or its files cannot be made or read.
 */
export function keepIn(place: {
  readonly share: string;
  readonly workDir: string;
  /** Default: pino on standard error, from `warn` on. */
  readonly log?: Log;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** The disk that they lie on, for tests that let it fail. Default: this machine's. */
  readonly disk?: Disk;
}): (id: string) => { readonly journal: Journal; readonly history: History } {
  const { share, workDir, log = standardErrorLog(), clock = systemClock, disk = nodeDisk } = place;
  return (id) => {
    const folder = sessionFolder({ share, workDir, id });
    const journal = openJournal({ folder, disk, log, clock });
    notePath(place);
    const history = historyBeside(journal, { folder, disk, log, clock });
    async function flush(): Promise<void> {
      history.flush();
      await journal.flush();
    }
    async function close(): Promise<void> {
      history.close();
      await journal.close();
    }
    return { journal: { ...journal, flush, close }, history };
  };
}

function historyBeside(journal: Journal, options: Parameters<typeof openHistory>[0]): KeptHistory {
  try {
    return openHistory(options);
  } catch (error) {
    void journal.close();
    throw error;
  }
}
