import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Check, type CheckContext, CheckFailure, type Circumstances } from "../contract/check.js";
import { type Exit, type ProcessGroup, startGroup } from "../programs/process-group.js";
import { keptTranscript } from "./kept-transcript.js";
import { type WireServer, wireServer } from "./wire-server.js";

/** The circumstances of a server's start for a check. */
export interface ServerStart {
  /** The scripts of its model, one for each model call. Default: no script. */
  readonly scripts?: readonly string[];
  /** Flags after `--config-file` and `--work-dir`. */
  readonly flags?: readonly string[];
  /** Further members of the model's entry in the configuration; null for no model at all. */
  readonly model?: Readonly<Record<string, unknown>> | null;
  /** The number of attempts at a model call. Default: 1. */
  readonly attempts?: number;
}

/** The tools of a check of a server: folders of its own, and functions to start the server in them. */
export interface ServerContext extends CheckContext {
  readonly workDir: string;
  /** The folder of the server's sessions: `KIMI_SHARE_DIR`. */
  readonly shareDir: string;
  start(options?: ServerStart): Promise<WireServer>;
  /** Starts a server with these bytes as its whole input. Resolves with all its output. */
  exchange(bytes: string): Promise<Exit & { stdout: string }>;
  /** Runs the command without `--wire`, with other arguments, to its end. */
  run(args: readonly string[]): Promise<Exit & { stdout: string }>;
  /**
   * Looks repeatedly until a condition holds that no message tells.
   *
   * @param expected the condition, in words.
   * @throws CheckFailure once the context is closed.
   */
  until(expected: string, holds: () => boolean | Promise<boolean>): Promise<void>;
  /** The server's first output that no client could read. */
  readonly violation: CheckFailure | undefined;
}

export type ServerCheck = Check<ServerContext>;

/** The interval between two looks, in milliseconds. */
const LOOK_MS = 5;

export async function openServerContext(
  command: readonly string[],
  circumstances: Circumstances,
): Promise<ServerContext> {
  // The server may look at its work directory by its real path.
  const folder = await realpath(await mkdtemp(join(tmpdir(), "conformance-")));
  const workDir = join(folder, "work");
  const shareDir = join(folder, "share");
  await Promise.all([mkdir(workDir), mkdir(shareDir)]);
  const { DEBUG: _, ...inherited } = process.env;
  const env = { ...inherited, ...circumstances.env, KIMI_SHARE_DIR: shareDir, NO_COLOR: "1" };
  const { transcript, record } = keptTranscript();
  const groups: ProcessGroup[] = [];
  const servers: WireServer[] = [];
  let awaiting: string | undefined;
  let closed = false;

  function startProcess(args: readonly string[]): ProcessGroup {
    record({ kind: "note", text: `${args.join(" ")}` });
    // The folder in which the command was typed, since a relative path may name its program. A flag tells the work
    // folder.
    const group = startGroup(args, { cwd: process.cwd(), env });
    groups.push(group);
    return group;
  }

  async function launch({ flags = [], ...options }: ServerStart = {}): Promise<string[]> {
    const config = await writeConfiguration(join(folder, `server-${groups.length + 1}`), options);
    return [...command, "--config-file", config, "--work-dir", workDir, ...flags];
  }

  /** Writes to a process, ends its input, and reads its output to the end. */
  async function toTheEnd({ child, ended }: ProcessGroup, input = ""): Promise<Exit & { stdout: string }> {
    if (input !== "") record({ kind: "sent", text: input });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stdin.end(input);
    const exit = await ended;
    record({ kind: "received", text: stdout });
    return { ...exit, stdout };
  }

  return {
    workDir,
    shareDir,
    pace: circumstances.pace,
    transcript,
    get awaiting() {
      return awaiting;
    },
    get violation() {
      return servers.map(({ violation }) => violation).find((violation) => violation !== undefined);
    },
    async start(options) {
      const group = startProcess(await launch(options));
      const server = wireServer({
        group,
        player: circumstances.player?.(),
        record,
        awaiting: (name) => {
          awaiting = name;
        },
      });
      servers.push(server);
      return server;
    },
    async exchange(bytes) {
      return toTheEnd(startProcess(await launch()), bytes);
    },
    run: (args) => toTheEnd(startProcess([...command.filter((word) => word !== "--wire"), ...args])),
    async until(expected, holds) {
      awaiting = expected;
      while (!(await holds())) {
        if (closed) throw new CheckFailure(expected, "the end of the check");
        await delay(LOOK_MS);
      }
      awaiting = undefined;
    },
    async close() {
      closed = true;
      await Promise.all(groups.map((group) => group.destroy()));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Writes a configuration as the launch flags name it, with a scripted model, and returns its file. */
async function writeConfiguration(folder: string, options: ServerStart): Promise<string> {
  const { scripts = [], model = {}, attempts = 1 } = options;
  const config = join(folder, "config.json");
  const scriptsFile = join(folder, "scripts.json");
  const provider = {
    type: "_scripted_echo",
    base_url: "",
    api_key: "",
    env: { KIMI_SCRIPTED_ECHO_SCRIPTS: scriptsFile },
  };
  const scripted = { provider: "scripted", model: "scripted", max_context_size: 100_000, ...model };
  const configuration = {
    ...(model === null
      ? { default_model: "", models: {}, providers: {} }
      : { default_model: "scripted", models: { scripted }, providers: { scripted: provider } }),
    loop_control: { max_retries_per_step: attempts },
  };
  await mkdir(folder);
  await writeFile(scriptsFile, JSON.stringify(scripts));
  await writeFile(config, JSON.stringify(configuration));
  return config;
}
