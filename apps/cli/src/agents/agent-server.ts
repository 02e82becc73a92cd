import { readFileSync } from "node:fs";
import {
  type AgentFactory,
  type AskwireServer,
  askUserQuestion,
  createServer,
  type LogLevel,
  logLevels,
  modelAgent,
  readScripts,
  type ServerOptions,
  scriptedModel,
  serveStdio,
  standardErrorLog,
} from "@askwire/server";
import { usageFailure } from "../failure.js";
import { readOptionFile } from "../read-file.js";

/** What an agent is made of, by the options that name it. */
export interface AgentOptions {
  readonly interview?: string;
  readonly script?: string;
  /** Default: the current folder. */
  readonly workDir?: string;
  readonly out?: string;
}

/** The interview that runs where no source is named. */
const shippedInterview = readFileSync(new URL("../../interviews/ci.yaml", import.meta.url), "utf8");

/** An agent for each session: a scripted model, or the interview. */
export async function agentFor(options: AgentOptions): Promise<AgentFactory> {
  if (options.script !== undefined) {
    if (options.interview !== undefined)
      throw usageFailure("--script and --interview name two agents: leave one out");
    if (options.out !== undefined)
      throw usageFailure("--out names the file of an interview: leave it out with --script");
    const scripts = scriptsFrom(options.script);
    return () => modelAgent({ model: scriptedModel(scripts), tools: [askUserQuestion] });
  }
  // YAML and Liquid are loaded only where an interview runs.
  const { interviewAgent, parseQuestionnaire, QuestionnaireError } = await import(
    "@askwire/server/interview"
  );
  const { interview: file } = options;
  try {
    const text = file === undefined ? shippedInterview : readOptionFile("--interview", file);
    const questionnaire = parseQuestionnaire(text, file ?? "ci.yaml");
    const { workDir = process.cwd(), out } = options;
    return () => interviewAgent({ questionnaire, workDir, ...(out === undefined ? {} : { out }) });
  } catch (error) {
    if (error instanceof QuestionnaireError) throw usageFailure(error.message);
    throw error;
  }
}

function scriptsFrom(file: string): string[] {
  try {
    return readScripts(readOptionFile("--script", file), file);
  } catch (error) {
    throw error instanceof Error && error.name === "Error" ? usageFailure(error.message) : error;
  }
}

/** A server under the command's name and version, with a log on standard error. */
export function commandServer(options: Omit<ServerOptions, "name" | "version" | "log">): AskwireServer {
  return createServer({
    ...options,
    name: "askwire",
    version: __ASKWIRE_VERSION__,
    log: standardErrorLog(logLevel()),
  });
}

/** Serves one client over standard input and output. SIGINT ends it as the end of the input does. */
export async function serveStandardStreams(server: AskwireServer): Promise<void> {
  process.once("SIGINT", () => void server.close());
  await serveStdio(server);
  process.stdin.destroy();
}

function logLevel(): LogLevel {
  const level = process.env.ASKWIRE_LOG ?? "error";
  const known = logLevels.find((name) => name === level);
  if (known === undefined)
    throw usageFailure(`ASKWIRE_LOG=${level}: expected one of ${logLevels.join(", ")}`);
  return known;
}
