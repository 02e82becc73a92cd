// The sessions of a folder that a reload resumes: a file for each, so that no window writes what another one keeps.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The facts of a session that outlive its window. */
export interface KeptChat {
  /** The time at which the session was shown last, in milliseconds since 1970. */
  readonly at: number;
  /** The person's unsent work, as the JSON of the view. Empty without any. */
  readonly drafts: string;
  /** True from the start in a window until that window closes. A killed window leaves it true. */
  readonly isOpen: boolean;
  /** The first words of the conversation. Absent before them. */
  readonly title?: string;
  /** True for a session that the person closed: it is listed, and no window resumes it by itself. */
  readonly isClosed?: boolean;
  /** The gateway's id of the session. Absent for an agent that was started here. */
  readonly gateway?: string;
}

export interface KeptChats {
  /** Reads the sessions that are remembered. Resolves with their ids, the one that was shown last first. */
  load(): Promise<readonly string[]>;
  /** The sessions that were read or changed since, those that were closed included, the one that was shown last first. */
  all(): readonly string[];
  /** The facts of a session. Those of an unknown one are empty. */
  of(id: string): KeptChat;
  /** Changes facts of a session, which are written at once. */
  keep(id: string, facts: Partial<KeptChat>): void;
  forget(id: string): void;
  /** Resolves once all is written. */
  written(): Promise<void>;
}

/** The most sessions that are remembered, of those that no window has open. */
const MOST = 100;

/** The time after which a session counts as closed: a killed window leaves its own open. In milliseconds. */
const OPEN_MS = 30 * 24 * 60 * 60 * 1000;

/** The age at which a file that was not written whole will not be, in milliseconds. */
const CUT_MS = 60_000;

/** The place of the sessions of a workspace's folder. */
export const chatsFile = (storage: string, folder: string | undefined): string =>
  join(
    storage,
    "sessions",
    createHash("sha256")
      .update(folder ?? "")
      .digest("hex")
      .slice(0, 32),
  );

/**
 * @param place the folder of the files, which all windows on the same machine share.
 * @param report takes the reason why a file was not written.
 */
export function keptChats(place: string, report: (problem: string) => void): KeptChats {
  const known = new Map<string, KeptChat>();
  const unwritten = new Set<string>();
  let last: Promise<void> = Promise.resolve();

  const of = (id: string): KeptChat => known.get(id) ?? { at: 0, drafts: "", isOpen: false };
  const all = () => [...known.keys()].sort((one, other) => of(other).at - of(one).at);

  /** Writes the facts as they are when its turn comes: changes until then cost nothing more. */
  function save(id: string): void {
    if (unwritten.has(id)) return;
    unwritten.add(id);
    last = last.then(async () => {
      unwritten.delete(id);
      await write(join(place, `${id}.json`), known.get(id)).catch((error: unknown) => report(String(error)));
    });
  }

  return {
    of,
    async load() {
      await last;
      const names = await readdir(place).catch(() => []);
      for (const name of names) {
        const id = /^([\w-]{1,64})\.json$/.exec(name)?.[1];
        // Of one that is closed here, another window may know more.
        if (id === undefined || unwritten.has(id) || known.get(id)?.isOpen === true) continue;
        const facts = await read(join(place, name));
        if (facts !== undefined) known.set(id, facts);
      }
      await dropCut(names.filter((name) => name.endsWith(".json.new")).map((name) => join(place, name)));
      const ids = all();
      const isOld = (id: string) => !of(id).isOpen || Date.now() - of(id).at > OPEN_MS;
      const old = new Set(ids.filter(isOld).slice(MOST));
      for (const id of old) {
        known.delete(id);
        save(id);
      }
      return ids.filter((id) => !old.has(id) && of(id).isClosed !== true);
    },
    all,
    keep(id, facts) {
      known.set(id, { ...of(id), ...facts });
      save(id);
    },
    forget(id) {
      known.delete(id);
      save(id);
    },
    written: () => last,
  };
}

/** Writes a file as a whole, or removes the file of a session that is forgotten. */
async function write(file: string, facts: KeptChat | undefined): Promise<void> {
  if (facts === undefined)
    return void (await Promise.all([file, `${file}.new`].map((name) => rm(name, { force: true }))));
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, JSON.stringify(facts), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Removes files whose writing was cut off. A new one may be another window's, which is about to write it whole. */
async function dropCut(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > CUT_MS) await rm(file, { force: true });
  }
}

/** Reads a file. A file of another shape does not count. */
async function read(file: string): Promise<KeptChat | undefined> {
  try {
    const { at, drafts, isOpen, isClosed, title, gateway } = JSON.parse(await readFile(file, "utf8"));
    if (typeof at !== "number" || typeof drafts !== "string") return undefined;
    return {
      ...{ at, drafts, isOpen: isOpen === true },
      ...(isClosed === true && { isClosed }),
      ...(typeof title === "string" && { title }),
      ...(typeof gateway === "string" && { gateway }),
    };
  } catch {
    return undefined;
  }
}
