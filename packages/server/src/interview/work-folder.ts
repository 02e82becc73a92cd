import { randomBytes } from "node:crypto";
import { lstat, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep, win32 } from "node:path";
import { oneLine } from "./questionnaire-error.js";

/** The largest file, in bytes, that is read from the work folder. */
export const maxFileBytes = 1_048_576;

/** A path that is refused, or a file that cannot be read or written. The message is one line and names the path. */
export class WorkFolderError extends Error {
  override readonly name = "WorkFolderError";
  readonly path: string;

  constructor(path: string, problem: string, cause?: unknown) {
    super(oneLine(`${path}: ${problem}`), { cause });
    this.path = path;
  }
}

/** A text to put in a file, by its path from the work folder. */
export interface RenderedFile {
  readonly path: string;
  readonly text: string;
}

/** What writing one file would do. */
export interface PlannedWrite {
  readonly path: string;
  /** The real work folder. */
  readonly work_dir: string;
  /** Where the file really is or will be: a link is followed. */
  readonly absolute: string;
  /** `null` for a new file. */
  readonly old_text: string | null;
  readonly new_text: string;
  readonly changed: boolean;
}

/** What is wrong with a path as it is written, or `undefined`. */
export function pathProblem(path: string): string | undefined {
  const expected = "expected a path inside the work folder";
  if (path === "" || path.includes("\0")) return `${expected}, found ${JSON.stringify(path)}`;
  if (isAbsolute(path) || win32.isAbsolute(path) || /^[a-z]:/i.test(path))
    return `${expected}, found the absolute path ${path}`;
  if (path.includes("\\")) return `${expected} with / between its parts, found ${path}`;
  if (path.split("/").includes("..")) return `${expected} without "..", found ${path}`;
  return undefined;
}

/**
 * The real path of a file, there or not, that is inside the real work folder, all links followed.
 *
 * @throws WorkFolderError if it is outside, or behind a link that leads nowhere
 */
export async function resolveInside(workDir: string, path: string): Promise<string> {
  const problem = pathProblem(path);
  if (problem) throw new WorkFolderError(path, problem);
  const root = await realpath(workDir);
  const missing: string[] = [];
  let existing = join(root, path);
  while (!(await isThere(existing))) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  const real = await realpath(existing).catch((cause: unknown) => {
    throw new WorkFolderError(
      path,
      "a link on the way leads nowhere: remove it or point it into the work folder",
      cause,
    );
  });
  const absolute = join(real, ...missing);
  const inside = relative(root, absolute);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new WorkFolderError(path, "leads outside the work folder: expected a path that stays inside it");
  }
  return absolute;
}

/**
 * The text of a file in the work folder; `null` if there is none.
 *
 * @throws WorkFolderError if it is outside, no regular file, above {@link maxFileBytes} or not UTF-8
 */
export async function readInside(workDir: string, path: string): Promise<string | null> {
  const absolute = await resolveInside(workDir, path);
  return readRegular(absolute, path);
}

/**
 * What writing these files would do, for a person to approve. Nothing is written.
 *
 * @throws WorkFolderError for a path that leaves the work folder, is in `.git`, comes twice or is no text file
 */
export async function planWrites(files: readonly RenderedFile[], workDir: string): Promise<PlannedWrite[]> {
  const root = await realpath(workDir);
  const plans: PlannedWrite[] = [];
  for (const { path, text } of files) {
    const absolute = await resolveInside(root, path);
    if (
      relative(root, absolute)
        .split(sep)
        .some((part) => part.toLowerCase() === ".git")
    ) {
      throw new WorkFolderError(path, "expected a path outside .git, whose files can run commands");
    }
    if (plans.some((plan) => plan.absolute === absolute))
      throw new WorkFolderError(path, "two files have this path");
    const oldText = await readRegular(absolute, path);
    plans.push({
      path,
      work_dir: root,
      absolute,
      old_text: oldText,
      new_text: text,
      changed: oldText !== text,
    });
  }
  return plans;
}

/**
 * Writes one planned file: its folders, then the whole text at once, keeping the mode of the file it replaces.
 *
 * @throws WorkFolderError if the path has come to lead elsewhere, or the file has changed, since it was planned
 */
export async function applyWrite(plan: PlannedWrite): Promise<void> {
  const folder = dirname(plan.absolute);
  await assertSamePlace(plan);
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw unwritableError(plan, cause);
  });
  if ((await realpath(folder)) !== folder) throw movedError(plan);
  if ((await readRegular(plan.absolute, plan.path)) !== plan.old_text) {
    throw new WorkFolderError(
      plan.path,
      "changed since its new text was shown: nothing was written, plan it again",
    );
  }
  const mode = plan.old_text === null ? 0o666 : (await stat(plan.absolute)).mode & 0o777;
  const temporary = join(folder, `.${basename(plan.absolute)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      await handle.writeFile(plan.new_text, "utf8");
      if (plan.old_text !== null) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await assertSamePlace(plan);
    await rename(temporary, plan.absolute);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error instanceof WorkFolderError ? error : unwritableError(plan, error);
  }
}

async function assertSamePlace(plan: PlannedWrite): Promise<void> {
  if ((await resolveInside(plan.work_dir, plan.path)) !== plan.absolute) throw movedError(plan);
}

function movedError(plan: PlannedWrite): WorkFolderError {
  return new WorkFolderError(
    plan.path,
    "leads elsewhere than when it was shown: nothing was written, plan it again",
  );
}

function unwritableError(plan: PlannedWrite, cause: unknown): WorkFolderError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  return new WorkFolderError(
    plan.path,
    `cannot be written (${code}): check its folder and the permissions`,
    cause,
  );
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return false;
      throw error;
    },
  );
}

async function readRegular(absolute: string, path: string): Promise<string | null> {
  if (!(await isThere(absolute))) return null;
  const found = await stat(absolute);
  // Only a regular file is opened: reading a pipe could wait for ever.
  if (!found.isFile()) throw new WorkFolderError(path, "expected a regular file, found a folder or a device");
  if (found.size > maxFileBytes) {
    throw new WorkFolderError(path, `expected at most ${maxFileBytes} bytes, found ${found.size}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(absolute));
  } catch (cause) {
    throw new WorkFolderError(path, "expected a readable text file in UTF-8", cause);
  }
}
