import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { findGateway } from "@askwire/client/gateway";
import type { FoundSession } from "@askwire/server";
import { ownGateway } from "../gateway/own-gateway.js";
import { GATEWAY_SESSION } from "../gateway/place.js";
import { sessionAt } from "../input/addresses.js";
import { ownStart } from "../installed/own-start.js";
import type { Reached } from "./waiting.js";

/** The characters of standard error that are kept to say why an agent did not start. */
const MOST_SAID = 2_000;

/** The agents that this inbox has started again, until it ends. */
interface ReopenedAgents {
  /** Starts the agent of a kept session again, as its record names it. */
  reopen(session: FoundSession, signal: AbortSignal): Promise<Reached>;
  /** Ends them; what is open in their sessions stays kept. */
  close(): void;
}

/** @param home the folder of the person's kept sessions. */
export function reopenedAgents(home: string): ReopenedAgents {
  const children = new Set<ChildProcess>();
  return {
    async reopen(session, signal) {
      if (session.id === GATEWAY_SESSION) {
        const { address } = await findGateway({ ...ownGateway(home, {}), signal });
        return { address: sessionAt(address, session.id) };
      }
      return { address: await startAgain(session, children, signal) };
    },
    close() {
      for (const child of children) child.kill("SIGTERM");
    },
  };
}

/** The options that name an agent to `askwire serve`; undefined for a program, of which the record has no arguments. */
function agentOptions(agent: string | undefined): readonly string[] | undefined {
  if (agent === "interview") return [];
  const [, kind, named] = /^(interview|script|model) (.+)$/s.exec(agent ?? "") ?? [];
  return kind === undefined || named === undefined ? undefined : [`--${kind}`, named];
}

async function startAgain(
  { id, workDir, agent }: FoundSession,
  children: Set<ChildProcess>,
  signal: AbortSignal,
): Promise<string> {
  const options = agentOptions(agent);
  if (options === undefined || workDir === undefined) {
    const where = workDir === undefined ? "in its folder" : `in ${workDir}`;
    throw new Error(
      `its agent cannot be started from here (${agent ?? "no name is kept"}): run "askwire chat --session ${id}" ${where}, with the options that it had`,
    );
  }
  const { ASKWIRE_TOKEN: _answersForThePerson, ...env } = process.env;
  const session = ["--session", id, "--work-dir", workDir];
  const served = ["serve", "--listen", "127.0.0.1:0", "--no-web", ...session, ...options];
  const [program, ...words] = ownStart();
  const child = spawn(program, [...words, ...served], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-MOST_SAID);
  });
  const give = () => void child.kill("SIGTERM");
  signal.addEventListener("abort", give, { once: true });
  try {
    const printed = firstLine(child.stdout);
    const ended = once(child, "close").then(() => undefined);
    const address = await Promise.race([printed, ended]);
    signal.throwIfAborted();
    if (address !== undefined) return address;
    throw new Error(`its agent did not start again: ${said.trim() || `see "askwire sessions" for ${id}`}`);
  } finally {
    signal.removeEventListener("abort", give);
  }
}

/** The first line of an output, of which the rest is dropped. */
function firstLine(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    output.setEncoding("utf8");
    output.on("data", (piece: string) => {
      if (text.includes("\n")) return;
      text += piece;
      const [line, ...rest] = text.split("\n");
      if (rest.length > 0) resolve(line as string);
    });
  });
}
