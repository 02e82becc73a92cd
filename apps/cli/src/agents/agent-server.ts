import { resolve } from "node:path";
import { modelAgent, readScripts, scriptedModel } from "@askwire/agent";
import type { Principal } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import {
  type AgentFactory,
  type AskwireServer,
  type Attendance,
  createServer,
  decisionsIn,
  foundSessions,
  isKeptSession,
  keepIn,
  type ServerOptions,
  serveStdio,
  systemClock,
} from "@askwire/server";
import shippedInterview from "../../interviews/ci.yaml";
import type { AskServerApproval } from "../by-name/configured-servers.js";
import type { AskApproval } from "../by-name/named-command.js";
import { commandLog } from "../input/command-log.js";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { readOptionFile } from "../input/read-file.js";
import { requireFolder } from "../input/require-folder.js";
import { unlessSignalled } from "../process/unless-signalled.js";
import { type ChosenDialects, callsOtherTools, chosenDialects } from "./chosen-dialects.js";
import type { KeptSessions } from "./kept-sessions.js";
import type { ServedAgent } from "./named-agent.js";
import type { ForeignOptions } from "./relayed-agent.js";
import { slashCommands } from "./slash-commands.js";

/** The options that choose an agent. */
export interface AgentOptions extends ForeignOptions {
  /** Shows a person the command of a project's agent. Default: nobody can be asked. */
  readonly askApproval?: AskApproval | undefined;
  /** Shows a person a project's server of MCP. Default: nobody can be asked. */
  readonly askServerApproval?: AskServerApproval | undefined;
  readonly interview?: string;
  readonly script?: string;
  /** The program of another agent, with its arguments. */
  readonly command?: readonly string[];
  /** A name of the configuration, or PROVIDER:MODEL. */
  readonly model?: string;
  /** A file with the keys of model providers. Default: the environment has them. */
  readonly keysFile?: string;
  /** Names of dialects, separated by commas. Default: `kimi`. */
  readonly dialect?: string;
  /** Default: the current folder. */
  readonly workDir?: string;
  readonly out?: string;
  /** False ends the turn that an earlier process left. */
  readonly resume?: boolean;
  /** The attendance that `/afk off` restores. Default: `attended`. */
  readonly attended?: Attendance;
}

/** An agent that is ready to be served. */
export interface ReadyAgent {
  readonly agent: ServedAgent;
  /** Ends a process that was started for the agent and that no session has taken, or whose session has ended. */
  end(): Promise<void>;
}

/** Makes an agent for each session: the program of another one, a model, a scripted agent, or the interview. */
export async function agentFor(options: AgentOptions): Promise<ReadyAgent> {
  checkAgentOptions(options);
  const { command = [], workDir = process.cwd() } = options;
  requireFolder(workDir);
  if (command.length === 0 && options.agent === undefined)
    return { agent: await ownAgent(options, workDir), end: async () => {} };
  // Each agent's modules are loaded only where it runs.
  const { foreignAgent, servedAgent, startedAgent } = await import("./relayed-agent.js");
  const foreign = await foreignAgent(command, options, workDir, options.askApproval);
  const log = (text: string) => void process.stderr.write(text);
  const line = (text: string) => log(`askwire: ${text}\n`);
  const started = await unlessSignalled((signal) => startedAgent(foreign, workDir, { log, line, signal }));
  return { agent: servedAgent(started, foreign.command), end: started.end };
}

/** @throws Failure for two agents, and for an option that the agent has no use for. */
function checkAgentOptions(options: AgentOptions): void {
  const { model, script, interview, out, dialect } = options;
  const command = options.command?.length ? options.command : undefined;
  const sources = Object.entries({
    "--model": model,
    "--script": script,
    "--interview": interview,
    "--agent": options.agent,
    "-- COMMAND": command,
  });
  const [source, another] = sources.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (another !== undefined) throw usageFailure(`${source} and ${another} name two agents: leave one out`);
  if (out !== undefined && source !== undefined && source !== "--interview")
    throw usageFailure(`--out works only with an interview: leave it out with ${source}`);
  if (dialect !== undefined && (model ?? script) === undefined)
    throw usageFailure("--dialect needs a model, and an interview has none: leave it out");
  if (options.keysFile !== undefined && model === undefined)
    throw usageFailure("--keys-file needs a model: add --model NAME, or leave it out");
  if ((options.acp || options.wire) && (command ?? options.agent) === undefined)
    throw usageFailure(`--${options.acp ? "acp" : "wire"} needs an agent: add -- COMMAND, or --agent NAME`);
}

/** An agent in this process. */
async function ownAgent(options: AgentOptions, workDir: string): Promise<ServedAgent> {
  const { model, script, interview, out, dialect, attended } = options;
  if (model !== undefined) {
    const { namedAgent } = await import("./named-agent.js");
    const { dialects, bringTools } = await chosenDialects(dialect, workDir, true);
    return {
      dialects,
      ...(await namedAgent(
        model,
        workDir,
        attended,
        !bringTools,
        options.askServerApproval,
        options.keysFile,
      )),
    };
  }
  if (script !== undefined) {
    const chosen = await chosenDialects(dialect, workDir, true);
    const agent = await scriptedAgent(scriptsFrom(script), chosen, workDir, options);
    return { dialects: chosen.dialects, agent, agentName: `script ${resolve(script)}` };
  }
  const { interviewAgent, parseQuestionnaire, QuestionnaireError } = await import("@askwire/interview");
  try {
    const text = interview === undefined ? shippedInterview : readOptionFile("--interview", interview);
    const questionnaire = parseQuestionnaire(text, interview ?? "ci.yaml");
    return {
      agentName: interview === undefined ? "interview" : `interview ${resolve(interview)}`,
      agent: () => interviewAgent({ questionnaire, workDir, ...(out === undefined ? {} : { out }) }),
    };
  } catch (error) {
    if (error instanceof QuestionnaireError) throw usageFailure(error.message);
    throw error;
  }
}

/** Makes a scripted agent. A script that only asks has only the question tools, and starts without loading others. */
async function scriptedAgent(
  scripts: readonly string[],
  chosen: ChosenDialects,
  workDir: string,
  { attended, askServerApproval }: AgentOptions,
): Promise<AgentFactory> {
  const model = scriptedModel(scripts);
  if (!callsOtherTools(scripts, chosen))
    return (session) =>
      modelAgent({
        model,
        history: session.history,
        commands: (conversation) => slashCommands({ session, conversation, attended }),
      });
  const { workAgent } = await import("./work-agent.js");
  const { mcpToolSets } = await import("./mcp-tool-sets.js");
  return workAgent({ model, workDir, attended, toolSets: await mcpToolSets(workDir, askServerApproval) });
}

function scriptsFrom(file: string): string[] {
  try {
    return readScripts(readOptionFile("--script", file), file);
  } catch (error) {
    throw error instanceof Error && error.name === "Error" ? usageFailure(error.message) : error;
  }
}

/**
 * Makes a server with the command's name and version and a log on standard error. Sessions are kept on the disk if
 * `place` says where, or in the `store`.
 */
export function commandServer(
  options: Omit<ServerOptions, "name" | "version" | "log" | "keep"> & {
    readonly place?: KeptSessions["place"];
    /**
     * Told why a session cannot be kept, which then is one that is not kept. Default: there is no such session, and the
     * error has a next step.
     */
    readonly onUnkept?: ((why: string) => void) | undefined;
    /** Takes the lines of the log instead of standard error. */
    readonly writeLog?: (line: string) => void;
  },
): AskwireServer {
  const { place, onUnkept, writeLog, ...served } = options;
  const log = commandLog(writeLog);
  return createServer({
    ...served,
    name: "askwire",
    version: __ASKWIRE_VERSION__,
    log,
    ...(place !== undefined && {
      workDir: place.workDir,
      isKept: (id) => isKeptSession({ ...place, id }),
      unfinished: () => foundSessions({ ...place, unfinished: true }),
      decisions: decisionsIn(place),
      keptSessions: (after) => foundSessions({ ...place, newestFirst: true, after }),
      keep: keptWithAdvice(
        keepIn({ ...place, log, clock: systemClock, observe: served.observe ?? [] }),
        place.share,
        onUnkept,
      ),
    }),
  });
}

type Keep = NonNullable<ServerOptions["keep"]>;

/** Adds a next step to the error for an unwritable folder, or continues without it where somebody is told. */
function keptWithAdvice(keep: Keep, share: string, onUnkept?: (why: string) => void): Keep {
  return (id, workDir) => {
    try {
      return keep(id, workDir);
    } catch (error) {
      if (!(error instanceof Error && "syscall" in error)) throw error;
      if (onUnkept !== undefined) return void onUnkept(error.message);
      const place = "set ASKWIRE_HOME (KIMI_SHARE_DIR with --wire) to another folder";
      throw new CommandFailure(`sessions cannot be kept in ${share} (${error.message}): ${place}`);
    }
  };
}

/**
 * Serves one client over standard input and output. Integers as ids on lines are refused with `stringIds`. The end of the input and SIGTERM leave a turn that can continue to
 * the next process; SIGINT ends it. The exit code shows a SIGTERM.
 */
export async function serveStandardStreams(
  server: AskwireServer,
  sessionId: string | undefined,
  { stringIds = false, owner }: { readonly stringIds?: boolean; readonly owner?: string } = {},
): Promise<void> {
  process.once("SIGINT", () => {
    const ended = [...server.sessions.values()].map((session) => session.close("shutdown"));
    void Promise.all(ended).then(() => server.close());
  });
  process.once("SIGTERM", () => {
    process.exitCode = TERMINATED;
    void server.close();
  });
  const principal: Principal | undefined =
    owner === undefined ? undefined : { id: "local", name: owner, via: "local" };
  await serveStdio(server, { ...defined({ sessionId, principal }), stringIds });
  process.stdin.destroy();
  // Output that the client leaves unread must not keep the process alive.
  setTimeout(() => process.exit(), UNREAD_MS).unref();
}

/** The time in which a client that has ended may still read, in milliseconds. */
const UNREAD_MS = 1_000;

/** The exit code of a process that SIGTERM ended. */
const TERMINATED = 143;
