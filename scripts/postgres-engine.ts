import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const keeper = fileURLToPath(new URL("postgres-keeper.mjs", import.meta.url));

/** An engine of PostgreSQL that tests use. */
export interface TestEngine {
  /** The address of its database, for a user who may do all. */
  readonly url: string;
  readonly port: number;
  /** The folder of its cluster. */
  readonly folder: string;
  /** The folder of the programs of PostgreSQL. */
  readonly programs: string;
}

/** The pid of the run of tests: the engine ends with it. */
const runPid = () => process.env["ASKWIRE_TEST_RUN"] ?? String(process.ppid);

/**
 * The engine that all tests of a run share; the first that asks for it starts it. It ends with the run.
 *
 * @throws Error that says how to get PostgreSQL, where there is none.
 */
export async function sharedEngine(): Promise<TestEngine> {
  const folder = join(tmpdir(), `askwire-postgres-${runPid()}`);
  if (mkdirSync(folder, { recursive: true }) !== undefined)
    spawn(process.execPath, [keeper, folder, runPid()], { detached: true, stdio: "ignore" }).unref();
  return started(folder);
}

/** An engine of a test's own, which it may kill and start again. */
export interface MortalEngine extends TestEngine, AsyncDisposable {
  /** Kills it with all of its processes. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts an engine for one test, from a copy of the shared one as it was made. */
export async function mortalEngine(): Promise<MortalEngine> {
  const shared = await sharedEngine();
  const folder = mkdtempSync(join(tmpdir(), "askwire-postgres-own-"));
  const child = fork(keeper, [folder, runPid(), join(shared.folder, "template")], { stdio: "ignore" });
  const engine = await started(folder);
  return {
    ...engine,
    kill: () => told(child, "kill"),
    start: () => told(child, "start"),
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

async function told(child: ChildProcess, what: "kill" | "start"): Promise<void> {
  child.send(what);
  await once(child, "message");
}

/** Waits until an engine is there, two minutes at most. */
async function started(folder: string): Promise<TestEngine> {
  const [file, failed] = [join(folder, "engine.json"), join(folder, "failed.txt")];
  for (let tries = 0; tries < 2_400; tries += 1) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, "utf8"));
    if (existsSync(file)) {
      const { port, bin } = JSON.parse(readFileSync(file, "utf8"));
      return { folder, port, programs: bin, url: `postgres://askwire@127.0.0.1:${port}/postgres` };
    }
    await wait(50);
  }
  throw new Error(`the engine in ${folder} did not start within two minutes`);
}
