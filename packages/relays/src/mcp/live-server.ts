import { type AgentSession, type Clock, ToolError, type ToolReturn } from "@askwire/server";
import { atMost, unlessAborted } from "@askwire/server/internal";
import type { Tool as McpTool } from "@modelcontextprotocol/client";
import { callPatience } from "./call-patience.js";
import { connectServer, type McpConnection } from "./connection.js";
import { type ServerQuestions, serverQuestions } from "./questions.js";
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

/** The surroundings of a server. */
export interface ServerPlace {
  readonly session: AgentSession;
  readonly times: ServerTimes;
  /** Tells the persons of the session something about the server. */
  readonly tell: (title: string, body: string) => void;
}

const CALL_MS = 60_000;

/** A server for the time of a session: it is started, and again with a later prompt where it is gone. */
export class LiveServer {
  readonly name: string;
  readonly #server: McpServer;
  readonly #place: ServerPlace;
  readonly #questions: ServerQuestions;
  readonly #closing = new AbortController();
  #starting: Promise<void> | undefined;
  /** The connection to the server while it runs. */
  #connection: McpConnection | undefined;
  #tools: readonly McpTool[] = [];
  /** The failure of the last start. */
  #lastProblem: string | undefined;
  /** True once people were told, until the next prompt: a server may change its tools at each moment. */
  #hasToldChange = false;

  constructor(name: string, server: McpServer, place: ServerPlace) {
    this.name = name;
    this.#server = server;
    this.#place = place;
    this.#questions = serverQuestions(name, place.session, place.tell);
    void this.#startOnce();
  }

  /** The tools of the last list; none before the first start. */
  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  /** Waits until the server runs, for the patience of a prompt at most. */
  async ready(signal: AbortSignal): Promise<void> {
    const { clock } = this.#place.times;
    this.#hasToldChange = false;
    if (this.#connection !== undefined || this.#isClosed) return;
    // A prompt does not wait again for a server that has failed.
    const hasFailed = this.#lastProblem !== undefined;
    const work = this.#startOnce();
    if (hasFailed) return;
    await unlessAborted(atMost(clock, this.#patienceMs, work), signal);
    if (this.#starting !== work) return;
    this.#place.tell(
      `The MCP server ${this.name} has not started yet`,
      `The agent goes on without it. It has ${seconds(this.#startMs)} for each step; its tools come with a later prompt.`,
    );
  }

  /** @throws ToolError for a call that fails. */
  async call(
    tool: string,
    args: Record<string, unknown>,
    callId: string,
    signal: AbortSignal,
  ): Promise<ToolReturn> {
    const connection = this.#running();
    const silent = new AbortController();
    const patience = callPatience(this.#callMs, this.#place.times.clock, () => silent.abort());
    const running = this.#questions.begin(callId, patience);
    try {
      const either = AbortSignal.any([signal, silent.signal]);
      const result = await afterLinks(
        () => connection.call(tool, args, either, patience.heard),
        (link) => this.#questions.answer(link, either),
      );
      return toolReturn(result);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw this.#failedCall(error as Error, silent.signal.aborted);
    } finally {
      patience.end();
      running.end();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([this.#starting, this.#connection?.close()]);
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  get #callMs(): number {
    return this.#server.callTimeoutMs ?? CALL_MS;
  }

  get #patienceMs(): number {
    return this.#server.startupMs ?? this.#place.times.patienceMs;
  }

  /** A step of a start has no less time than a prompt waits. */
  get #startMs(): number {
    return Math.max(this.#place.times.startTimeoutMs, this.#server.startupMs ?? 0);
  }

  #startOnce(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      const { message } = error as Error;
      if (!this.#isClosed && message !== this.#lastProblem)
        this.#place.tell(
          `The MCP server ${this.name} does not run, and the agent goes on without it`,
          message,
        );
      this.#lastProblem = message;
    }
  }

  async #connect(): Promise<void> {
    const { session } = this.#place;
    const opened: { connection?: McpConnection; hasEnded: boolean } = { hasEnded: false };
    const { answer: elicit, complete } = this.#questions;
    const toolsChanged = (tools: readonly McpTool[]) => this.#changeTools(tools);
    const closed = () => {
      opened.hasEnded = true;
      if (opened.connection !== undefined) this.#end(opened.connection);
    };
    const connection = await connectServer(
      this.#server,
      { elicit, complete, toolsChanged, closed },
      { cwd: session.workDir, signal: this.#closing.signal, timeoutMs: this.#startMs },
    );
    opened.connection = connection;
    if (this.#isClosed) return await connection.close();
    this.#tools = connection.tools;
    if (!opened.hasEnded) this.#connection = connection;
    this.#lastProblem = undefined;
  }

  #changeTools(tools: readonly McpTool[]): void {
    this.#tools = tools;
    if (this.#hasToldChange) return;
    this.#hasToldChange = true;
    this.#place.tell(
      `The tools of the MCP server ${this.name} have changed`,
      "The agent has them from the next prompt on.",
    );
  }

  /** Takes the end of a connection. */
  #end(connection: McpConnection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    if (this.#isClosed) return;
    const said = connection.said();
    const problem = connection.problem();
    const words = `${problem === undefined ? "" : ` ${problem}`}${said === "" ? "" : ` The last it said: ${said}`}`;
    this.#place.tell(
      `The MCP server ${this.name} has ended`,
      `It is started again with the next prompt.${words}`,
    );
  }

  #running(): McpConnection {
    if (this.#connection !== undefined) return this.#connection;
    const message = `The MCP server ${this.name} does not run. It is started again with the user's next prompt.`;
    throw new ToolError({ message, brief: "Server does not run" });
  }

  #failedCall({ message }: Error, wasSilent: boolean): ToolError {
    const why = wasSilent
      ? `it said nothing for ${seconds(this.#callMs)}, and the call was cancelled`
      : message;
    return new ToolError({ message: `The MCP server ${this.name} failed: ${why}`, brief: "MCP call failed" });
  }
}

const seconds = (ms: number) => `${ms / 1_000} s`;
