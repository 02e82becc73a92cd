// Installed hosts of MCP as programs: scripts/hosts.mjs puts them into a folder.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { command, folderWith } from "../../cli/test/askwire.js";

/** A call that the model makes. */
export interface HostCall {
  readonly tool: string;
  readonly given: object;
}

/** The run of a host. */
export interface HostRun {
  /** The command of the MCP server named `askwire`, and its variables. */
  readonly server: { readonly command: readonly [string, ...string[]]; readonly env: Record<string, string> };
  /** The calls, one after the other; then the model says that all is done. */
  readonly calls: readonly HostCall[];
  /** The empty folder that the host runs in, which is its home too. */
  readonly cwd: string;
  /** Told the results of calls that the model has been sent so far, before it goes on. */
  readonly heard: (results: readonly string[]) => Promise<void> | void;
}

export interface RealHost {
  readonly name: string;
  /** The program below `node_modules/.bin`. */
  readonly program: string;
  /** The host as people are told. */
  readonly asker: string;
  /** The part of a result that its model is sent. */
  readonly reads: "structure" | "text";
  /** Writes the host's configuration. Resolves with its arguments and variables. */
  configure(
    run: HostRun,
  ): Promise<{ readonly args: readonly string[]; readonly env: Record<string, string> }>;
}

/** The folder in which the hosts are installed, by scripts/hosts.mjs; undefined where they are not tested. */
export const hostsFolder = process.env.ASKWIRE_HOSTS;

/**
 * Starts an installed host in a folder of its own, until the test has finished.
 *
 * @param input the text for its standard input, which then stays open. Default: it has no standard input.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  input?: string,
) {
  const bin = join(hostsFolder ?? "", "node_modules/.bin");
  const PATH = [bin, process.env.ASKWIRE_HOSTS_NODE, process.env.PATH].join(delimiter);
  const child: ChildProcess = spawn(join(bin, program), args, {
    cwd,
    env: { ...process.env, PATH, HOME: cwd, ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill());
  child.stdin?.write(input);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text) => {
      printed += text;
    });
  return { child, ended: once(child, "close"), printed: () => printed };
}

/** Starts a host whose model makes these calls of askwire mcp. */
export async function startRealHost(
  { program, configure }: RealHost,
  home: string,
  wanted: readonly HostCall[],
  {
    args = [],
    heard = () => {},
  }: { readonly args?: readonly string[]; readonly heard?: HostRun["heard"] } = {},
) {
  const cwd = await folderWith();
  let told: readonly string[] = [];
  const configured = await configure({
    server: { command: [process.execPath, command, "mcp", ...args], env: { ASKWIRE_HOME: home } },
    ...{ calls: wanted, cwd },
    heard(results) {
      told = results;
      return heard(results);
    },
  });
  const started = startProgram(program, configured.args, configured.env, cwd);
  return { ...started, /** The results that the model was sent. */ told: () => told };
}
