// The roles of persons, a file for each person and role. Every change is to one file, so several servers and
// `askwire admin` need no lock.
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { addressedName, type GrantedRole, type Log, type PersonRoles, personProblem } from "@askwire/server";
import * as z from "zod/mini";
import { digestOf, fileNamesIn, writeBeside } from "./secret-files.js";

/** A role of a person that is kept. */
export interface KeptGrant extends GrantedRole {
  /** The name of the person, as requests name them. */
  readonly name: string;
  /** The time of the grant, in milliseconds since 1970. */
  readonly grantedAt: number;
}

const plain = z.string().check(z.refine((text) => personProblem(text) === undefined));

const GrantFile = z.object({
  name: plain,
  role: plain,
  may: z.literal(["answer", "see"]),
  granted_at: z.iso.datetime(),
});

/** The most grants that are kept. */
const MOST_GRANTS = 10_000;
/** The time by which servers act on a change, in milliseconds. */
const LOOK_MS = 1_000;
/** The time for which a folder is read at each look after a change: clocks of file systems are coarse. */
const FRESH_MS = 2_000;

const FILE = /^[0-9a-f]{16}\.json$/;

/** The folder of the grants beside the kept sessions. */
export const grantsFolder = (share: string): string => join(share, "grants");

const fileOf = (folder: string, name: string, role: string) =>
  join(folder, `${digestOf(JSON.stringify([name, role])).slice(0, 16)}.json`);

/** The grants by name and role, and the files that are damaged. */
export function keptGrants(folder: string): { grants: KeptGrant[]; damaged: string[] } {
  const [grants, damaged]: [KeptGrant[], string[]] = [[], []];
  for (const file of filesIn(folder)) {
    const read = readGrant(join(folder, file));
    if (typeof read === "object") grants.push(read);
    else if (read !== "absent") damaged.push(join(folder, file));
  }
  const key = ({ name, role }: KeptGrant) => JSON.stringify([name, role]);
  return { grants: grants.sort((a, b) => (key(a) < key(b) ? -1 : 1)), damaged };
}

const filesIn = (folder: string) =>
  fileNamesIn(folder)
    .filter((name) => FILE.test(name))
    .slice(0, MOST_GRANTS);

/** The grant of a file. `unread` says that the system does not let it be read, maybe for now. */
function readGrant(file: string): KeptGrant | "absent" | "damaged" | "unread" {
  try {
    const { name, role, may, granted_at } = GrantFile.parse(JSON.parse(readFileSync(file, "utf8")));
    return { name, role, may, grantedAt: Date.parse(granted_at) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) return "damaged";
    return code === "ENOENT" ? "absent" : "unread";
  }
}

/**
 * Keeps a role of a person, in the place of an earlier grant of it.
 *
 * @throws Error above 10,000 grants, and the system's error if the file cannot be written.
 */
export function addGrant(folder: string, { name, role, may }: Omit<KeptGrant, "grantedAt">): void {
  if (filesIn(folder).length >= MOST_GRANTS) throw new Error(`there are ${MOST_GRANTS} grants: revoke some`);
  const kept: z.input<typeof GrantFile> = { name, role, may, granted_at: new Date().toISOString() };
  renameSync(
    writeBeside(folder, `grant.${randomBytes(4).toString("hex")}`, kept),
    fileOf(folder, name, role),
  );
}

/**
 * Takes roles of a person away.
 *
 * @param role the one to take. Default: all that the person has.
 * @returns the roles that were taken.
 */
export function removeGrants(folder: string, name: string, role?: string): string[] {
  const own = keptGrants(folder).grants.filter((grant) => grant.name === name);
  const taken = own.filter((grant) => role === undefined || grant.role === role).map((grant) => grant.role);
  for (const each of taken) rmSync(fileOf(folder, name, each), { force: true });
  return taken;
}

/**
 * The roles that the grants of a folder give to persons, for servers that run. While the folder or a file cannot be read,
 * what was read of it last counts.
 *
 * @param log told once of the folder and of each file that cannot be read, until it can be read again.
 */
export const servedGrants = (folder: string, log: Pick<Log, "error">): PersonRoles =>
  new ServedGrants(folder, log);

class ServedGrants implements PersonRoles {
  readonly #folder: string;
  readonly #log: Pick<Log, "error">;
  #byFile = new Map<string, KeptGrant>();
  #byName = new Map<string, GrantedRole[]>();
  #seen: string | undefined;
  /** The paths of which the log was told. */
  #told = new Set<string>();

  constructor(folder: string, log: Pick<Log, "error">) {
    this.#folder = folder;
    this.#log = log;
    this.#look();
  }

  of(principal: Parameters<PersonRoles["of"]>[0]): readonly GrantedRole[] {
    return this.#byName.get(addressedName(principal)) ?? [];
  }

  watch(changed: () => void): () => void {
    const timer = setInterval(() => {
      if (this.#look()) changed();
    }, LOOK_MS).unref();
    return () => clearInterval(timer);
  }

  /** Reads the folder where it has changed. Returns whether anybody has other roles. */
  #look(): boolean {
    try {
      const at = lookOf(this.#folder);
      if (at === this.#seen) return false;
      const before = JSON.stringify([...this.#byName]);
      const { byFile, problems, isWhole } = readAll(this.#folder, this.#byFile);
      this.#byFile = byFile;
      this.#byName = rolesIn(byFile.values());
      // A file that may be read later says nothing of that in the folder.
      this.#seen = isWhole ? at : undefined;
      this.#tell(problems);
      return JSON.stringify([...this.#byName]) !== before;
    } catch (error) {
      this.#tell(new Map([[this.#folder, unreadFolder(this.#folder, error as Error)]]));
      return false;
    }
  }

  #tell(problems: ReadonlyMap<string, string>): void {
    for (const [path, problem] of problems) if (!this.#told.has(path)) this.#log.error({ path }, problem);
    this.#told = new Set(problems.keys());
  }
}

/** The grants by file, with what was known of those that cannot be read, and what is wrong by path. */
function readAll(folder: string, known: ReadonlyMap<string, KeptGrant>) {
  const [byFile, problems] = [new Map<string, KeptGrant>(), new Map<string, string>()];
  let isWhole = true;
  for (const name of filesIn(folder)) {
    const file = join(folder, name);
    const read = readGrant(file);
    const grant = read === "unread" ? known.get(name) : read;
    if (typeof grant === "object") byFile.set(name, grant);
    if (read === "unread") isWhole = false;
    if (read === "unread" || read === "damaged") problems.set(file, unreadFile(file));
  }
  return { byFile, problems, isWhole };
}

function rolesIn(grants: Iterable<KeptGrant>): Map<string, GrantedRole[]> {
  const byName = new Map<string, GrantedRole[]>();
  for (const { name, role, may } of grants) byName.set(name, [...(byName.get(name) ?? []), { role, may }]);
  return byName;
}

const unreadFolder = (folder: string, { message }: Error) =>
  `the roles of persons cannot be read (${message}): they keep those that they had until the server can read ${folder}`;
const unreadFile = (file: string) =>
  `the role in ${file} cannot be read: let the server read it, or remove it and grant the role again with "askwire admin grant"`;

/** A text that is another one once a file of the folder has come, gone or changed; each time anew right after that. */
function lookOf(folder: string): string {
  const { ino, mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { ino: 0, mtimeMs: 0 };
  const now = Date.now();
  return now - mtimeMs < FRESH_MS ? `${now}` : `${ino} ${mtimeMs}`;
}
