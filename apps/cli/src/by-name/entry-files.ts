// The configurations that name agents and servers: the user's and the machine's are trusted, a project's is foreign.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { shareFolder } from "@askwire/server";
import { usageFailure } from "../input/failure.js";
import { configurationFile } from "../input/parse-configuration.js";
import { readOptionFile } from "../input/read-file.js";

/** The places where names are looked up. */
export interface Places {
  /** The folder that the agent works in, whose project may have a file. */
  readonly workDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** The folder of the machine's configuration. Default: `/etc/askwire`; on Windows there is none. */
  readonly machine?: string | undefined;
}

/** The most bytes of a project's file, whose content nobody has looked at. */
const MOST_PROJECT_BYTES = 256 * 1024;
/** The most characters of a project's entry as JSON: what a person approves has to fit on a screen. */
const MOST_SHOWN = 2_000;

/** The machine's folder, which only an administrator writes. Windows has none: anybody may make `C:\etc` there. */
const machineFolder = process.platform === "win32" ? undefined : "/etc/askwire";

/** A configuration whose entries need no approval. */
export interface TrustedFile {
  readonly from: "user" | "machine";
  readonly file: string;
  readonly content: string;
}

/** The configuration of a project, whose entries a person approves. */
export interface ProjectFile {
  readonly file: string;
  /** The project's folder by its real path, absolute. */
  readonly folder: string;
  readonly content: string;
  /** @throws Failure for an entry that is too long to be shown whole. */
  fitsScreen(key: string, entry: object): void;
}

/**
 * The configurations of the user, then of the machine, as far as they exist.
 *
 * @throws Failure of one line for a file that cannot be read.
 */
export function trustedFiles(places: Places): TrustedFile[] {
  return trustedFolders(places).flatMap(({ from, folder }) => {
    const file = configurationFile(folder);
    return file === undefined ? [] : [{ from, file, content: readOptionFile("the configuration", file) }];
  });
}

/** The folders of the configurations that need no approval: the user's, then the machine's. */
function trustedFolders({ env, machine = machineFolder }: Places) {
  const user = { from: "user", folder: shareFolder(env, { kimi: false }) } as const;
  return machine === undefined ? [user] : [user, { from: "machine", folder: machine } as const];
}

/**
 * The project's file, `.askwire/config.toml` or `config.json` in the work folder. Undefined where there is none.
 *
 * @throws Failure of one line for a file that cannot be read, and for a work folder that does not exist.
 */
export function projectFile({ workDir, env }: Places): ProjectFile | undefined {
  const folder = realFolder(workDir);
  const file = configurationFile(join(folder, ".askwire"));
  // In the home directory the project's file is the user's own.
  if (file === undefined || isSame(file, configurationFile(shareFolder(env, { kimi: false }))))
    return undefined;
  return {
    ...{ file, folder, content: readForeignFile(file) },
    fitsScreen(key, entry) {
      if (JSON.stringify(entry).length > MOST_SHOWN)
        throw usageFailure(`${file}: ${key}: expected at most ${MOST_SHOWN} characters to approve`);
    },
  };
}

/**
 * The real path of a work folder, by which approvals are kept.
 *
 * @throws Failure where there is no such folder.
 */
export function realFolder(workDir: string): string {
  try {
    return realpathSync(workDir);
  } catch {
    throw usageFailure(`--work-dir ${workDir}: no such folder`);
  }
}

const isSame = (file: string, own: string | undefined) =>
  own !== undefined && realpathSync(file) === realpathSync(own);

/** Reads a file of a project; a pipe or a device would never end. */
function readForeignFile(file: string): string {
  const found = statSync(file);
  if (!found.isFile() || found.size > MOST_PROJECT_BYTES)
    throw usageFailure(`${file}: expected a file of at most ${MOST_PROJECT_BYTES / 1024} KiB`);
  return readFileSync(file, "utf8");
}
