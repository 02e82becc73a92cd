import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { freePort } from "../../../scripts/free-port.js";
import type { TestEngine } from "../../../scripts/postgres-engine.js";

/** An engine that follows another one. */
export interface Follower extends Pick<TestEngine, "port" | "folder" | "programs"> {
  /** Lets it take the place of the one that it follows. */
  promote(): Promise<void>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
}

/** A second engine that follows one, as its synchronous standby `follower`, and can take its place; ended with the test. */
export async function followerOf({
  port: of,
  folder: its,
  programs,
}: Pick<TestEngine, "port" | "folder" | "programs">): Promise<Follower> {
  const folder = mkdtempSync(join(tmpdir(), "askwire-postgres-follower-"));
  // The engine's own user: root may not run one.
  const { uid, gid } = statSync(its);
  chownSync(folder, uid, gid);
  const as = { uid, gid, cwd: folder };
  const data = join(folder, "data");
  const run = (program: string, args: readonly string[]) =>
    promisify(execFile)(join(programs, program), [...args], as);
  const place = `host=127.0.0.1 port=${of} user=askwire application_name=follower`;
  await run("pg_basebackup", ["-D", data, "-d", place, "-R", "-X", "stream", "-c", "fast", "--no-sync"]);
  const port = await freePort();
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`];
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
  const follower = spawn(join(programs, "postgres"), args, { ...as, stdio: "ignore" });
  const ended = once(follower, "exit");
  const kill = async () => {
    follower.kill("SIGQUIT");
    await ended;
  };
  onTestFinished(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const promote = async () => void (await run("pg_ctl", ["promote", "-w", "-D", data]));
  return { port, folder, programs, kill, promote };
}
