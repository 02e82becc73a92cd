import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as otherWork } from "node:timers/promises";
import { LOCK_FILE } from "@askwire/protocol/node";
import { type FoundSession, foundSession, mayBeOpen } from "./found-sessions.js";
import { sessionPlaces } from "./places.js";

/** The sessions that are looked at before other work has its turn. */
const AT_ONCE = 50;
/** The age from which a folder's time is trusted, in milliseconds: a later change has another time. */
const TRUSTED_MS = 2_000;

interface Known {
  /** The time of the folder, in milliseconds since 1970. */
  readonly at: number;
  readonly found: FoundSession | undefined;
}

/**
 * The kept sessions in which something may be open, for one who looks again and again. A session that no process has,
 * and whose folder has not changed since, costs the look at its folder's time alone.
 */
export class UnfinishedSessions {
  readonly #share: string;
  readonly #now: () => number;
  #known: ReadonlyMap<string, Known> = new Map();

  /**
   * @param share the folder of all sessions.
   * @param now the time, in milliseconds since 1970.
   */
  constructor(share: string, now: () => number) {
    this.#share = share;
    this.#now = now;
  }

  /**
   * Looks once; other work has its turn in between. The sessions come in no order.
   *
   * @param signal ends the look early, with what was found.
   * @param wanted chooses among them.
   * @param most the most that are given. Default: all.
   */
  async look(
    signal: AbortSignal,
    wanted: (session: FoundSession) => boolean = () => true,
    most = Number.POSITIVE_INFINITY,
  ): Promise<FoundSession[]> {
    const known = new Map<string, Known>();
    const found: FoundSession[] = [];
    let looked = 0;
    for (const { id, folder, workDir } of sessionPlaces({ share: this.#share })) {
      looked += 1;
      if (looked % AT_ONCE === 0) await otherWork();
      if (signal.aborted || found.length >= most) break;
      const session = this.#session(id, folder, known);
      if (session !== undefined && wanted(session))
        found.push(workDir === undefined ? session : { ...session, workDir });
    }
    this.#known = known;
    return found;
  }

  #session(id: string, folder: string, known: Map<string, Known>): FoundSession | undefined {
    const at = timeOf(folder);
    const before = this.#known.get(folder);
    if (before !== undefined && before.at === at) {
      known.set(folder, before);
      return before.found;
    }
    const isHeld = existsSync(join(folder, LOCK_FILE));
    const found = isHeld || mayBeOpen(folder) ? foundSession(id, folder) : undefined;
    // A process that has a session changes it without its folder.
    if (!isHeld && at !== undefined && this.#now() - at > TRUSTED_MS) known.set(folder, { at, found });
    return found;
  }
}

function timeOf(folder: string): number | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}
