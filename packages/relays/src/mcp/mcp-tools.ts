import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import { type AgentSession, type Clock, systemClock, type Tool, type ToolSet } from "@askwire/server";
import { LiveServer } from "./live-server.js";
import { toolOf } from "./mcp-tool.js";
import type { HttpServer, McpServer, StdioServer } from "./server-options.js";
import { mcpToolName } from "./tool-names.js";

/** The ways of {@link mcpTools}. */
export interface McpToolOptions {
  /** The time that a prompt waits for servers that are starting, in milliseconds. Default: 30,000. */
  readonly patienceMs?: number;
  /** The time for each step of a server's start, in milliseconds. Default: 60,000. */
  readonly startTimeoutMs?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
}

const toolRules: OptionRules<McpToolOptions> = {
  patienceMs: option.amount,
  startTimeoutMs: option.amount,
  clock: option.object,
};

const programRules: OptionRules<StdioServer> = {
  command: option.required(option.list),
  env: option.object,
  callTimeoutMs: option.amount,
  startupMs: option.amount,
};

const addressRules: OptionRules<HttpServer> = {
  url: option.required(option.text),
  headers: option.object,
  callTimeoutMs: option.amount,
  startupMs: option.amount,
};

function checkServer(name: string, server: McpServer): void {
  const place = `mcpTools: servers: ${name}`;
  if ("url" in server) checkOptions(place, server, addressRules);
  else checkOptions(place, server, programRules);
}

/** The most tools of a server that a model is offered. */
const MOST_TOOLS = 128;

/**
 * The tools of servers of MCP for the agent of a session, named `mcp__server__tool`, each call with an approval. Their
 * elicitations are questions to every client of the session. The servers start at once, end with the session, and start
 * again with the next prompt where they are gone.
 *
 * @param servers the servers by their names.
 * @throws TypeError for an option that is unknown or does not fit.
 */
export function mcpTools(
  servers: ReadonlyMap<string, McpServer>,
  session: AgentSession,
  options: McpToolOptions = {},
): ToolSet {
  checkOptions("mcpTools", options, toolRules);
  for (const [name, server] of servers) checkServer(name, server);
  const { patienceMs = 30_000, startTimeoutMs = 60_000, clock = systemClock } = options;
  const times = { patienceMs, startTimeoutMs, clock };
  const live = [...servers].map(
    ([name, server]) => new LiveServer(name, server, { session, times, tell: teller(session, name) }),
  );
  const told = new Set<string>();
  let tools: readonly Tool[] = [];
  return {
    get tools() {
      return tools;
    },
    async begin(signal) {
      await Promise.all(live.map((server) => server.ready(signal)));
      tools = offeredTools(live, (name, problem) => {
        if (told.size > MOST_TOOLS || told.has(problem)) return;
        told.add(problem);
        teller(session, name)(`The agent goes without a tool of the MCP server ${name}`, problem);
      });
    },
    async close() {
      await Promise.all(live.map((server) => server.close()));
    },
  };
}

/** @param leftOut told of each tool that the agent cannot have. */
function offeredTools(
  live: readonly LiveServer[],
  leftOut: (server: string, problem: string) => void,
): Tool[] {
  const places = live.flatMap((server) => {
    if (server.tools.length > MOST_TOOLS)
      leftOut(
        server.name,
        `It has ${server.tools.length} tools; those after the first ${MOST_TOOLS} are left out.`,
      );
    return server.tools.slice(0, MOST_TOOLS).map((tool) => ({ server, tool }));
  });
  const tools = new Map<string, Tool>();
  for (const { server, tool } of places) {
    const name = mcpToolName({ server: server.name, tool: tool.name });
    try {
      if (tools.has(name)) throw new TypeError(`it has two tools of the name ${JSON.stringify(tool.name)}`);
      tools.set(name, toolOf(name, tool, server));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      leftOut(server.name, error.message);
    }
  }
  return [...tools.values()];
}

/** Tells the persons of a session about a server. */
const teller = (session: AgentSession, name: string) => (title: string, body: string) =>
  void session.notify({
    category: "agent",
    type: "mcp",
    source_kind: "mcp_server",
    source_id: name,
    title,
    body,
    severity: "warning",
  });
