import { spawn } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";
import { LocalError } from "@askwire/protocol";
import { homeFolder } from "@askwire/protocol/node";
import {
  type GatewayState,
  gatewayLog,
  lastLogLine,
  makeGatewayFolder,
  runningGateway,
  withLog,
} from "./place.js";

/** The place of a person's gateway, and the way to start one. */
export interface FindGatewayOptions {
  /** The folder of the person's sessions. Default: `ASKWIRE_HOME`, else `.askwire` in the home directory. */
  readonly home?: string | undefined;
  /** False to start none: then an error says that none runs. Default: true. */
  readonly start?: boolean | undefined;
  /**
   * The `askwire` command, as a program and its first arguments. Default: `askwire`, looked up in PATH. It is started
   * without a shell; on Windows the default needs one.
   */
  readonly command?: readonly [program: string, ...args: string[]] | undefined;
  /** The environment of a gateway that is started. Default: this process's without `ASKWIRE_TOKEN`. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /**
   * The time without programs, people and open questions after which a gateway that is started ends, in minutes.
   * Default: 10. A gateway that runs already keeps its own, as with the next two.
   */
  readonly idle?: number | undefined;
  /** A line of the shell for each request that opens or is settled. Default: none. */
  readonly notify?: string | undefined;
  /** The part of a question that the line is told. Default: `header`. */
  readonly notifyText?: string | undefined;
  /** The time for a gateway to listen, in milliseconds. Default: 30,000. */
  readonly startTimeoutMs?: number | undefined;
  /** Gives the wait up when aborted: that rejects with the reason. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** The time between two looks, in milliseconds. */
const LOOK_MS = 30;

/** Finds or starts a gateway, by options that were checked. */
export async function foundGateway(options: FindGatewayOptions): Promise<GatewayState> {
  const { home = homeFolder(process.env), start = true, startTimeoutMs = 30_000, signal } = options;
  signal?.throwIfAborted();
  const running = runningGateway(home);
  if (running !== undefined) return running;
  if (!start) {
    throw new LocalError("CONNECT_FAILED", 'no gateway of yours runs: "askwire open" starts it and shows it');
  }
  const failed = started(home, options);
  for (let waited = 0; waited < startTimeoutMs; waited += LOOK_MS) {
    await after(LOOK_MS);
    signal?.throwIfAborted();
    const found = runningGateway(home);
    if (found !== undefined) return found;
    const failure = failed();
    if (failure !== undefined) throw failure;
  }
  const text = `the gateway did not start in ${startTimeoutMs} ms: ${gatewayLog(home)} says why`;
  throw new LocalError("CONNECT_FAILED", text);
}

/** Starts a gateway, which ends at once where another one is. Returns what tells why it failed. */
function started(home: string, options: FindGatewayOptions): () => LocalError | undefined {
  const { command: [program, ...args] = ["askwire"], idle, notify, notifyText } = options;
  const given = { "--idle": idle?.toString(), "--notify": notify, "--notify-text": notifyText };
  const more = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  const cwd = makeGatewayFolder(home);
  let failure: LocalError | undefined;
  withLog(home, (log, from) => {
    const child = spawn(program, [...args, "gateway", ...more], {
      cwd,
      env: { ...(options.env ?? inherited()), ASKWIRE_HOME: home },
      stdio: ["ignore", log, log],
      detached: true,
      windowsHide: true,
      // The command that npm installs there is a script of the shell.
      shell: process.platform === "win32" && options.command === undefined,
    });
    child.once("error", (error) => {
      failure = notStarted(program, error);
    });
    child.once("exit", (status, by) => {
      if (status === 0) return;
      const end = status === null ? `was ended by ${by}` : `ended with status ${status}`;
      const why = lastLogLine(home, from);
      const where = `${gatewayLog(home)} says why`;
      const text = `the gateway ${end} before it listened: ${why === undefined ? where : `${why} (${where})`}`;
      failure ??= new LocalError("PROCESS_EXITED", text);
    });
    child.unref();
  });
  return () => failure;
}

function inherited(): NodeJS.ProcessEnv {
  const { ASKWIRE_TOKEN: _answersForThePerson, ...env } = process.env;
  return env;
}

function notStarted(program: string, error: Error): LocalError {
  const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
  const why = isMissing
    ? `the command "${program}", which starts the gateway, was not found: put it into PATH, or name it by \`command\``
    : `could not start the gateway by "${program}": ${error.message}`;
  return new LocalError("SPAWN_FAILED", why, { cause: error });
}
