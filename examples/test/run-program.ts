import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Runs a program to its end, with the typed text as standard input. Resolves with its output. */
export async function runProgram(
  command: string,
  args: readonly string[],
  {
    typed = "",
    ...options
  }: { typed?: string; cwd?: string; env?: NodeJS.ProcessEnv; detached?: boolean } = {},
) {
  const child = spawn(command, args, options);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // A program that ends without reading closes the pipe, which is no failure of the test.
  child.stdin.on("error", () => {});
  child.stdin.end(typed);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { stdout, stderr, status };
}

/** A new folder, which goes away after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "askwire-examples-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
