// Keeps the code that V8 compiles of the command's files, so that the next start does not compile them again. Node's
// own cache, from 22.1 on, saves less: it holds fewer of the called functions.
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import Module from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

/** The most files kept, of some fifty kilobytes each. A command takes up to twenty, and each build its own. */
const MAX_KEPT = 256;

type Run = (
  exports: unknown,
  require: (id: string) => unknown,
  module: NodeModule,
  file: string,
  folder: string,
) => void;

/**
 * Keeps compiled code of `.cjs` files in the folder, from now on. Files are written when the process ends. The next
 * run of the same command reads them, since it calls the same functions.
 * A folder that cannot be used keeps nothing.
 */
export function keepCompiledCode(folder: string): void {
  const fresh = new Map<string, Script>();
  require.extensions[".cjs"] = (module, file) => {
    const source = readFileSync(file, "utf8");
    // The hash covers the whole text, since V8 itself compares only lengths.
    const name = digest(source, process.version, process.arch, process.argv[2] ?? "").toString("hex");
    const kept = join(folder, name);
    const cachedData = readKept(kept);
    const script = new Script(Module.wrap(source), { filename: file, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) fresh.set(kept, script);
    const run: Run = script.runInThisContext();
    run.call(module.exports, module.exports, (id) => module.require(id), module, file, dirname(file));
  };
  process.once("exit", () => {
    if (fresh.size === 0) return;
    try {
      // Without `recursive`: Node tries forever where a parent takes no folders, as /proc and some mounts of homes.
      for (const made of [dirname(folder), folder]) if (!existsSync(made)) mkdirSync(made, { mode: 0o700 });
      // Only at the end does the code hold the functions that were called.
      for (const [kept, script] of fresh) keep(kept, script.createCachedData());
      dropOldest(folder);
    } catch {
      // The next start compiles again.
    }
  });
}

const digest = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const DIGEST_BYTES = 32;

/** Reads a kept file, if this user wrote it and the file is whole, since V8 runs the code unchecked. */
function readKept(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(DIGEST_BYTES);
    const own = process.getuid === undefined || statSync(file).uid === process.getuid();
    return own && digest(code).equals(bytes.subarray(0, DIGEST_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a file at once: other processes see the whole file or none. */
function keep(file: string, code: Buffer): void {
  const part = `${file}.${randomUUID()}`;
  try {
    writeFileSync(part, Buffer.concat([digest(code), code]), { mode: 0o600 });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function dropOldest(folder: string): void {
  const files = readdirSync(folder).map((name) => {
    const file = join(folder, name);
    return { file, at: statSync(file).mtimeMs };
  });
  files.sort((a, b) => b.at - a.at);
  for (const { file } of files.slice(MAX_KEPT)) rmSync(file, { force: true });
}
