// The changes of settings files, worked out before any of them is written.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { createTwoFilesPatch } from "diff";
import { CommandFailure } from "../../input/failure.js";
import type { SettingsFile } from "./host-settings.js";
import { withEntries, withoutEntries } from "./json-settings.js";
import { withoutTable, withTable } from "./toml-settings.js";

/** A file that changes. */
export interface SettingsChange {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Works out the changes. A file that stays as it is has none.
 *
 * @throws Failure for a file that cannot be read, changed or written: nothing is written then.
 */
export function plannedChanges(
  settings: readonly SettingsFile[],
  what: "install" | "uninstall",
): SettingsChange[] {
  return settings.flatMap(({ file, format, entries }) => {
    const before = contentOf(file);
    const [entry] = entries;
    if (entry === undefined) return [];
    const edits = {
      json: { install: withEntries, uninstall: withoutEntries },
      toml: {
        install: (text: string) => withTable(text, file, entry),
        uninstall: (text: string) => withoutTable(text, file, entry),
      },
    };
    // Nothing is put into a file that only holds a list which the host keeps elsewhere.
    const isOnlyIfThere = entries.every((own) => "listed" in own && own.ifThere === true);
    if (before === "" && (what === "uninstall" || isOnlyIfThere)) return [];
    const after = edits[format][what](before, file, entries);
    if (after === before) return [];
    refuseReadOnly(file);
    return [{ file, before, after }];
  });
}

/** The changes as a person reads them: a difference of each file. */
export const shownChanges = (changes: readonly SettingsChange[]): string =>
  changes
    .map(({ file, before, after }) =>
      createTwoFilesPatch(file, file, before, after, "", "", { context: 2 })
        .replace(/^=+\n/, "")
        .replace(/\\ No newline at end of file\n/g, ""),
    )
    .join("\n");

/**
 * Writes the changes, each file at once, with its mode and through its links.
 *
 * @throws Failure for a file that has changed meanwhile, or cannot be written.
 */
export function writeChanges(changes: readonly SettingsChange[]): void {
  for (const { file, before, after } of changes) {
    if (contentOf(file) !== before)
      throw new CommandFailure(`${file}: another program has changed it meanwhile: try again`);
    try {
      mkdirSync(dirname(file), { recursive: true });
      const target = existsSync(file) ? realpathSync(file) : file;
      const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600;
      const written = `${target}.askwire-${process.pid}`;
      try {
        writeFileSync(written, after, { mode });
        renameSync(written, target);
      } finally {
        rmSync(written, { force: true });
      }
    } catch (error) {
      throw new CommandFailure(`${file}: cannot be written (${(error as Error).message})`);
    }
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new CommandFailure(`${file}: cannot be read (${(error as Error).message}); nothing was changed`);
  }
}

/** A file that its owner, or a program that manages it, has made read-only is not replaced. */
function refuseReadOnly(file: string): void {
  if (!existsSync(file) || (statSync(file).mode & 0o222) !== 0) return;
  throw new CommandFailure(
    `${file}: is read-only; nothing was changed: make it writable, or put in what --dry-run shows where it is made`,
  );
}
