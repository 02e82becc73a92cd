import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, lstat, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { type HeldFolder, holdFolder } from "./hold-folder.js";
import { isAt, readRegular, resolveInside, WorkFolderError } from "./inside.js";

/** A text to put in a file, by its path from the work folder. */
export interface RenderedFile {
  readonly path: string;
  readonly text: string;
}

/** The effect of writing a file. */
export interface PlannedWrite {
  /** As it was given, from the work folder. */
  readonly path: string;
  /** The real work folder. */
  readonly work_dir: string;
  /** The real path of the file, after all links. */
  readonly absolute: string;
  /** `null` for a new file. */
  readonly old_text: string | null;
  /** The whole file as it will be. */
  readonly new_text: string;
  /** False if it is so already. */
  readonly changed: boolean;
}

/**
 * Plans to write a file, for a person to approve. Nothing is written.
 *
 * @param newText makes the new text of the old text, which is `null` for a new file.
 * @throws WorkFolderError for a path that leaves the work folder, is in `.git` or is too long, for a file that is no text
 * of at most 1 MiB, and for a new text with NUL
 */
export async function planWrite(
  workDir: string,
  path: string,
  newText: (oldText: string | null) => string,
): Promise<PlannedWrite> {
  const root = await realpath(workDir);
  const absolute = await resolveInside(root, path);
  if (
    relative(root, absolute)
      .split(sep)
      .some((part) => part.toLowerCase() === ".git")
  ) {
    throw new WorkFolderError(path, "expected a path outside .git, whose files can run commands");
  }
  const oldText = await readRegular(absolute, path);
  const text = newText(oldText);
  if (text.includes("\0"))
    throw new WorkFolderError(path, "expected a new text without the character NUL (U+0000)");
  return {
    path,
    work_dir: root,
    absolute,
    old_text: oldText,
    new_text: text,
    changed: oldText !== text,
  };
}

/**
 * Plans to write several files.
 *
 * @throws WorkFolderError also for two names of one file
 */
export async function planWrites(files: readonly RenderedFile[], workDir: string): Promise<PlannedWrite[]> {
  const plans: PlannedWrite[] = [];
  for (const { path, text } of files) {
    const plan = await planWrite(workDir, path, () => text);
    if (plans.some(({ absolute }) => absolute === plan.absolute))
      throw new WorkFolderError(path, "two files have this path");
    plans.push(plan);
  }
  return plans;
}

/**
 * Writes one planned file: its folders, then the whole text at once, keeping the mode of the file it replaces.
 *
 * @throws WorkFolderError if the path has come to lead elsewhere, or the file has changed, since it was planned
 */
export async function applyWrite(plan: PlannedWrite): Promise<void> {
  await assertSamePlace(plan);
  const folder = await madeFolder(plan);
  try {
    await replaceFile(plan, folder.path);
  } finally {
    await folder.close();
  }
}

/** Holds the folder of a planned file. One that is missing is made in the one above it, which is held for that. */
async function madeFolder(plan: PlannedWrite): Promise<HeldFolder> {
  const names = relative(plan.work_dir, dirname(plan.absolute)).split(sep);
  let path = plan.work_dir;
  let held = await holdFolder(path);
  for (const name of names.filter((name) => name !== "")) {
    if (held === undefined) throw movedError(plan);
    path = join(path, name);
    try {
      await makeFolder(join(held.path, name));
    } catch (error) {
      throw unwritableError(plan, error);
    } finally {
      await held.close();
    }
    held = await holdFolder(path);
  }
  if (held === undefined) throw movedError(plan);
  return held;
}

/** Makes a folder, unless there is one, or a link that may lead to one. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" || (await lstat(path)).isFile()) throw error;
  }
}

async function replaceFile(plan: PlannedWrite, folder: string): Promise<void> {
  await assertUnchanged(plan);
  // Short: a file's own name may be as long as the system takes.
  const name = `.askwire-${randomBytes(6).toString("hex")}.tmp`;
  const temporary = join(folder, name);
  try {
    const mode = plan.old_text === null ? 0o666 : await modeOf(plan.absolute);
    const handle = await open(temporary, "wx", mode);
    try {
      // Before the first byte: the folder may be elsewhere by now.
      if (!(await isAt(handle, join(dirname(plan.absolute), name)))) throw movedError(plan);
      await handle.writeFile(plan.new_text, "utf8");
      if (plan.old_text !== null) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await assertSamePlace(plan);
    await assertUnchanged(plan);
    await rename(temporary, join(folder, basename(plan.absolute)));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error instanceof WorkFolderError ? error : unwritableError(plan, error);
  }
}

/** The mode of a file that may be written: a read-only one is not replaced behind its owner's back. */
async function modeOf(absolute: string): Promise<number> {
  await access(absolute, constants.W_OK);
  return (await stat(absolute)).mode & 0o777;
}

async function assertSamePlace(plan: PlannedWrite): Promise<void> {
  if ((await resolveInside(plan.work_dir, plan.path)) !== plan.absolute) throw movedError(plan);
}

async function assertUnchanged(plan: PlannedWrite): Promise<void> {
  if ((await readRegular(plan.absolute, plan.path)) === plan.old_text) return;
  throw new WorkFolderError(
    plan.path,
    "changed since its new text was shown: nothing was written, plan it again",
  );
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
