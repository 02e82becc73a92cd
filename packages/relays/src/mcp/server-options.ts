/** A server of MCP that is a program, which speaks on its standard streams. */
export interface StdioServer {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /**
   * The whole environment of the program. Default: this process's without the variables of Askwire and without keys of
   * model providers, as `agentEnvironment` makes it.
   */
  readonly env?: NodeJS.ProcessEnv;
  /** The time without a word in which a call has to end, in milliseconds. Default: 60,000. */
  readonly callTimeoutMs?: number;
  /** The time of its start that a prompt waits for, in milliseconds. Default: that of `mcpTools`, 30,000. */
  readonly startupMs?: number;
}

/** A server of MCP at an address, over Streamable HTTP. */
export interface HttpServer {
  readonly url: string;
  /** Headers of each request, such as Authorization. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The time without a word in which a call has to end, in milliseconds. Default: 60,000. */
  readonly callTimeoutMs?: number;
  /** The time of its start that a prompt waits for, in milliseconds. Default: that of `mcpTools`, 30,000. */
  readonly startupMs?: number;
}

export type McpServer = StdioServer | HttpServer;
