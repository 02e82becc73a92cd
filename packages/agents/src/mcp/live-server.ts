import { type AgentSession, type Clock, ToolError, type ToolReturn } from "@askwire/server";
import { atMost, unlessAborted } from "@askwire/server/internal";
import type { Tool as McpTool } from "@modelcontextprotocol/client";
import { callPatience } from "./call-patience.js";
import { connectServer, type McpConnection } from "./connection.js";
import { serverQuestions } from "./questions.js";
import { afterLinks } from "./required-links.js";
import { toolReturn } from "./result.js";
import type { McpServer } from "./server-options.js";

/** The times of servers, in milliseconds. */
export interface ServerTimes {
  /** The time that a prompt waits for a server that is starting. */
  readonly patienceMs: number;
  /** The time for each step of a start. */
  readonly startTimeoutMs: number;
  readonly clock: Clock;
}

/** A server for the time of a session: it is started, and again with a later prompt where it is gone. */
export interface LiveServer {
  readonly name: string;
  /** The tools of the last list; none before the first start. */
  readonly tools: readonly McpTool[];
  /** Waits until the server runs, for the patience of a prompt at most. */
  ready(signal: AbortSignal): Promise<void>;
  /** @throws ToolError for a call that fails. */
  call(tool: string, args: Record<string, unknown>, callId: string, signal: AbortSignal): Promise<ToolReturn>;
  close(): Promise<void>;
}

const CALL_MS = 60_000;

/** @param tell tells the persons of the session something about the server. */
export function liveServer(
  name: string,
  server: McpServer,
  session: AgentSession,
  times: ServerTimes,
  tell: (title: string, body: string) => void,
): LiveServer {
  const { patienceMs, startTimeoutMs, clock } = times;
  const ended = new AbortController();
  const questions = serverQuestions(name, session, tell);
  let connection: McpConnection | undefined;
  let tools: readonly McpTool[] = [];
  let starting: Promise<void> | undefined;
  let lastProblem: string | undefined;
  /** True once people were told, until the next prompt: a server may change its tools at each moment. */
  let hasToldChange = false;

  async function start(): Promise<void> {
    let opened: McpConnection | undefined;
    const goneEarly = { is: false };
    try {
      opened = await connectServer(
        server,
        {
          elicit: questions.answer,
          complete: questions.complete,
          toolsChanged(changed) {
            tools = changed;
            if (hasToldChange) return;
            hasToldChange = true;
            tell(
              `The tools of the MCP server ${name} have changed`,
              "The agent has them from the next prompt on.",
            );
          },
          closed() {
            goneEarly.is = true;
            if (connection !== opened || opened === undefined) return;
            connection = undefined;
            if (ended.signal.aborted) return;
            tell(
              `The MCP server ${name} has ended`,
              withWords("It is started again with the next prompt", opened),
            );
          },
        },
        { cwd: session.workDir, signal: ended.signal, timeoutMs: startTimeoutMs },
      );
      if (ended.signal.aborted) return void (await opened.close());
      ({ tools } = opened);
      if (!goneEarly.is) connection = opened;
      lastProblem = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (!ended.signal.aborted && message !== lastProblem)
        tell(`The MCP server ${name} does not run, and the agent goes on without it`, message);
      lastProblem = message;
    }
  }

  const withWords = (text: string, { said }: McpConnection) =>
    said() === "" ? `${text}.` : `${text}. The last it said: ${said()}`;

  const startOnce = () => {
    starting ??= start().finally(() => {
      starting = undefined;
    });
    return starting;
  };
  void startOnce();

  return {
    name,
    get tools() {
      return tools;
    },
    async ready(signal) {
      hasToldChange = false;
      if (connection !== undefined || ended.signal.aborted) return;
      // A prompt does not wait again for a server that has failed.
      const hasFailed = lastProblem !== undefined;
      const work = startOnce();
      if (hasFailed) return;
      await unlessAborted(atMost(clock, patienceMs, work), signal);
      if (starting !== work) return;
      tell(
        `The MCP server ${name} has not started yet`,
        `The agent goes on without it. It has ${seconds(startTimeoutMs)} in all; its tools come with a later prompt.`,
      );
    },
    async call(tool, args, callId, signal) {
      const open = connection;
      if (open === undefined) {
        const message = `The MCP server ${name} does not run. It is started again with the user's next prompt.`;
        throw new ToolError({ message, brief: "Server does not run" });
      }
      const silent = new AbortController();
      const ms = server.callTimeoutMs ?? CALL_MS;
      const patience = callPatience(ms, clock, () => silent.abort());
      const running = questions.begin(callId, patience);
      try {
        const either = AbortSignal.any([signal, silent.signal]);
        const result = await afterLinks(
          () => open.call(tool, args, either, patience.heard),
          (link) => questions.answer(link, either),
        );
        return toolReturn(result);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const why = silent.signal.aborted
          ? `it said nothing for ${seconds(ms)}, and the call was cancelled`
          : (error as Error).message;
        throw new ToolError({ message: `The MCP server ${name} failed: ${why}`, brief: "MCP call failed" });
      } finally {
        patience.end();
        running.end();
      }
    },
    async close() {
      ended.abort();
      await Promise.allSettled([starting, connection?.close()]);
    },
  };
}

const seconds = (ms: number) => `${ms / 1_000} s`;
