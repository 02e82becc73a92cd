import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { jsonText } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { Clock } from "../runtime/clock.js";
import { readPlainFile } from "./disk.js";
import { UnfinishedSession } from "./open-requests.js";

/** The name of the file that lists what is open in a session. */
export const OPEN_FILE = "open.json";

/** Changes are gathered for this long, in milliseconds: what is answered sooner costs nothing. */
const GATHER_MS = 100;

/** Keeps the file of open requests up to date. A failing disk makes nothing here throw: the journal has all of it. */
export interface KeptOpenList {
  /** Looks soon at what is open then. */
  changed(): void;
  /** Writes what is open now, and nothing afterwards. */
  close(): void;
}

/**
 * Begins to keep the file of a session next to its journal. A file of an earlier process is replaced soon.
 *
 * @param read the present state; undefined where nothing is open.
 */
export function keepOpenFile(
  { journal, clock }: { readonly journal: string; readonly clock: Clock },
  read: () => UnfinishedSession | undefined,
): KeptOpenList {
  const file = join(dirname(journal), OPEN_FILE);
  /** The contents, undefined for no file. Those of an earlier process count as others than now. */
  let written: string | undefined = "";

  return gatheredOpenList(clock, () => {
    const state = read();
    const text = state && jsonText(state);
    if (text === written) return;
    try {
      if (text === undefined) rmSync(file, { force: true });
      else {
        writeFileSync(`${file}.new`, text, { mode: 0o600 });
        renameSync(`${file}.new`, file);
      }
      written = text;
    } catch {
      // A list then shows the session without its questions.
    }
  });
}

/** Gathers the changes of what is open. `write` is called soon, after each change, and with the end. */
export function gatheredOpenList(clock: Clock, write: () => void): KeptOpenList {
  let cancel: (() => void) | undefined;
  let closed = false;

  function writeNow(): void {
    cancel?.();
    cancel = undefined;
    write();
  }

  const kept: KeptOpenList = {
    changed() {
      if (!closed) cancel ??= clock.after(GATHER_MS, writeNow);
    },
    close() {
      if (closed) return;
      closed = true;
      writeNow();
    },
  };
  kept.changed();
  return kept;
}

/** Reads the file in a session's folder. Undefined without a file, and for one that does not fit. */
export function readOpenFile(folder: string): UnfinishedSession | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readPlainFile(join(folder, OPEN_FILE)));
  } catch {
    return undefined;
  }
  const parsed = validateCompiled(UnfinishedSession, value);
  return parsed.ok ? (parsed.value as UnfinishedSession) : undefined;
}
