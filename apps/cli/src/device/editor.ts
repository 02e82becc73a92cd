import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TextDecoder } from "node:util";

/** The person's editor: `VISUAL`, else `EDITOR`, else the one that a system of this kind has. */
const editorOf = (env: NodeJS.ProcessEnv): string =>
  [env.VISUAL, env.EDITOR].find((command) => command !== undefined && command.trim() !== "") ??
  (process.platform === "win32" ? "notepad" : "vi");

/**
 * Opens a text in the person's editor, which has the terminal meanwhile. Resolves with the text as saved. The end of a
 * line that the editor adds behind the last one is left out.
 *
 * @param name the name of the file, by which editors choose colours.
 * @param signal ends the editor.
 * @throws Error if the editor cannot be started, or ends with another exit code than 0, or saves what is no text: then
 * the file stays, and the message names it.
 */
export async function editText(
  text: string,
  name: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "askwire-edit-"));
  let isOfUse = false;
  try {
    const file = join(folder, fileName(name));
    await writeFile(file, text, { mode: 0o600 });
    await run(editorOf(env), file, env, signal);
    const saved = textOf(await readFile(file));
    isOfUse = saved === undefined;
    if (saved === undefined)
      throw new Error(`what was saved is no text in UTF-8 without NUL: it is in ${file}`);
    return /[\r\n]$/.test(text) ? saved : saved.replace(/(?:\r\n|\n|\r)$/, "");
  } finally {
    if (!isOfUse) await rm(folder, { recursive: true, force: true });
  }
}

/** The text of saved bytes, with its byte order mark. Undefined for what is no text. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The last part of a path, in characters that no shell and no file system reads otherwise. */
function fileName(name: string): string {
  const last = name
    .replace(/.*[\\/]/s, "")
    .replace(/[^\w.-]/g, "_")
    .slice(-64);
  return /^\.*$/.test(last) || last.startsWith("-") ? `text${last}` : last;
}

/** Runs the editor as git does: the variable is a command for the shell, which gets the file as its last word. */
function run(editor: string, file: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child =
      process.platform === "win32"
        ? spawn(`${editor} "${file}"`, { stdio: "inherit", env, shell: true })
        : spawn("/bin/sh", ["-c", `${editor} "$1"`, editor, file], { stdio: "inherit", env });
    const stop = () => void child.kill();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    child.once("error", reject);
    child.once("close", (code, by) => {
      signal.removeEventListener("abort", stop);
      if (code === 0) resolve();
      else reject(new Error(`${editor}: ${code === null ? by : `exit code ${code}`}`));
    });
  });
}
