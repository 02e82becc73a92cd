import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Check, type CheckContext, CheckFailure } from "../check.js";
import { type Exit, type ProcessGroup, startGroup } from "../process-group.js";
import { keptTranscript } from "./kept-transcript.js";
import { type WireServer, wireServer } from "./wire-server.js";

/** How a server is started for a check. */
export interface StartOptions {
  /** What its scripted model says, one script for each model call. Default: no script. */
  readonly scripts?: readonly string[];
  /** Flags after `--config-file` and `--work-dir`. */
  readonly flags?: readonly string[];
  /** What else the model's entry in the configuration has; null for no model at all. */
  readonly model?: Readonly<Record<string, unknown>> | null;
  /** How often a failed call of the model is made in all. Default: 1. */
  readonly attempts?: number;
}

/** What a check of a server works with: folders of its own, and the means to start the server in them. */
export interface ServerContext extends CheckContext {
  readonly workDir: string;
  /** Where the server keeps its sessions: `KIMI_SHARE_DIR`. */
  readonly shareDir: string;
  start(options?: StartOptions): Promise<WireServer>;
  /** Starts a server that is given these bytes and then the end of its input; resolves with all that it wrote. */
  exchange(bytes: string): Promise<Exit & { stdout: string }>;
  /** Runs the command without `--wire`, with other arguments, to its end. */
  run(args: readonly string[]): Promise<Exit & { stdout: string }>;
  /**
   * Looks now and then until something that no message tells holds.
   *
   * @param expected what holds then, in words.
   * @throws CheckFailure once the context is closed.
   */
  until(expected: string, holds: () => boolean | Promise<boolean>): Promise<void>;
  /** What a server said that no client could read. */
  readonly violation: CheckFailure | undefined;
}

export type ServerCheck = Check<ServerContext>;

/** How often a check looks at what no message tells, in milliseconds. */
const LOOK_MS = 5;

export async function openServerContext(command: readonly string[]): Promise<ServerContext> {
  // The server may look at its work directory by its real path.
  const folder = await realpath(await mkdtemp(join(tmpdir(), "conformance-")));
  const workDir = join(folder, "work");
  const shareDir = join(folder, "share");
  await Promise.all([mkdir(workDir), mkdir(shareDir)]);
  const { DEBUG: _, ...inherited } = process.env;
  const env = { ...inherited, KIMI_SHARE_DIR: shareDir, NO_COLOR: "1" };
  const { transcript, record } = keptTranscript();
  const groups: ProcessGroup[] = [];
  const servers: WireServer[] = [];
  let awaiting: string | undefined;
  let closed = false;

  function startProcess(args: readonly string[]): ProcessGroup {
    record({ kind: "note", text: `${args.join(" ")}` });
    // Where the command was typed: it may name its program by a relative path. The work folder is told by a flag.
    const group = startGroup(args, { cwd: process.cwd(), env });
    groups.push(group);
    return group;
  }

  async function launch({ flags = [], ...options }: StartOptions = {}): Promise<string[]> {
    const config = await writeConfiguration(join(folder, `server-${groups.length + 1}`), options);
    return [...command, "--config-file", config, "--work-dir", workDir, ...flags];
  }

  /** Writes to a process, ends its input, and reads what it writes until it ends. */
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
async function writeConfiguration(folder: string, options: StartOptions): Promise<string> {
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
