import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sessionFolder, shareFolder } from "@askwire/server";
import { JOURNAL_FILE } from "@askwire/trajectory";
import { usageFailure } from "../input/failure.js";

/** A session's journal. */
export interface NamedJournal {
  readonly session: string;
  readonly file: string;
}

/**
 * The journals that a command line names: by ids of sessions kept for the work folder, by folders, or by files; or
 * all kept ones. Each journal once.
 *
 * @throws Failure if nothing is named, and for a missing journal.
 */
export function namedJournals(
  names: readonly string[],
  { workDir = process.cwd(), all = false }: { readonly workDir?: string; readonly all?: boolean },
): NamedJournal[] {
  const place = { share: shareFolder(process.env, { kimi: false }), workDir };
  if (all && names.length > 0) throw usageFailure("trajectory export: --all and SESSION: leave one out");
  if (!all && names.length === 0)
    throw usageFailure("trajectory export: name a session, a folder or a wire.jsonl file, or use --all");
  if (!all) return eachOnce(names.map((name) => found(name, place)));
  const kept = dirname(sessionFolder({ ...place, id: "any" }));
  const journals = (existsSync(kept) ? readdirSync(kept).sort() : []).flatMap((id) =>
    inFolder(join(kept, id)),
  );
  if (journals.length === 0) throw usageFailure(`--all: no session of ${workDir} is kept`);
  return journals;
}

function found(name: string, place: { readonly share: string; readonly workDir: string }): NamedJournal {
  const [journal] = [...keptAs(name, place), ...inFolder(name), ...asFile(name)];
  if (journal !== undefined) return journal;
  throw usageFailure(
    `trajectory export ${name}: no session of ${place.workDir} has this id, and there is no such wire.jsonl file, or folder with one`,
  );
}

function keptAs(id: string, place: { readonly share: string; readonly workDir: string }): NamedJournal[] {
  try {
    return inFolder(sessionFolder({ ...place, id }));
  } catch {
    // A path, which is no id.
    return [];
  }
}

/** False also for a path that the system does not take. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function inFolder(folder: string): NamedJournal[] {
  const file = join(folder, JOURNAL_FILE);
  try {
    return isFile(file) ? asFile(file) : [];
  } catch {
    // A part of the path is a file.
    return [];
  }
}

const asFile = (path: string): NamedJournal[] =>
  isFile(path) ? [{ session: basename(dirname(realpathSync(path))), file: path }] : [];

function eachOnce(journals: readonly NamedJournal[]): NamedJournal[] {
  return [...new Map(journals.map((journal) => [realpathSync(journal.file), journal])).values()];
}
