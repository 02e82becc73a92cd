// The only file that knows the SDK of MCP, which is loaded with the first server.

import { LocalError } from "@askwire/protocol";
import { lastWords } from "@askwire/protocol/node";
import { SERVER_VERSION } from "@askwire/server";
import type { Client, Tool as McpTool, Transport } from "@modelcontextprotocol/client";
import { agentEnvironment } from "../process/agent-environment.js";
import type { McpServer } from "./server-options.js";

/** The reactions to a server's messages. */
export interface ServerMessages {
  /** Answers `elicitation/create`, old style or within `input_required`. */
  elicit(params: unknown, signal: AbortSignal): Promise<object>;
  /** Hears that a person is done at an address. */
  complete(elicitationId: string): void;
  /** Takes the tools of a server whose list has changed. */
  toolsChanged(tools: readonly McpTool[]): void;
  /** Told once, when the server is gone. */
  closed(): void;
}

/** A connection to a server. */
export interface McpConnection {
  readonly tools: readonly McpTool[];
  /**
   * Calls a tool. A call that is aborted is cancelled at the server too.
   *
   * @param heard called with each sign of progress.
   */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal, heard: () => void): Promise<unknown>;
  /** The last words on the program's standard error; empty for a server at an address. */
  said(): string;
  /** The failure of the connection that ended it, such as a line that is too long; undefined without one. */
  problem(): string | undefined;
  close(): Promise<void>;
}

/** The longest message of a program, in bytes, and the SDK's words for a longer one, after which it has ended. */
const LONGEST_LINE = 10 * 1024 * 1024;
const TOO_LONG = /exceeded maximum size/;

/** A wait that our own clock ends. The longest that a timer of Node.js has. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Connects to a server, in the version of the protocol that the server speaks, and asks for its tools.
 *
 * @param timeoutMs the time for each step of the start, in milliseconds.
 * @throws an Error for a server that does not start, with its last words.
 */
export async function connectServer(
  server: McpServer,
  messages: ServerMessages,
  {
    cwd,
    signal,
    timeoutMs,
  }: { readonly cwd: string; readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<McpConnection> {
  const sdk = await loadSdk();
  const client = new sdk.Client(
    { name: "askwire", version: SERVER_VERSION },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: "auto", probe: { timeoutMs: timeoutMs / 4 } },
      // The default compiles foreign schemas to code.
      jsonSchemaValidator: new sdk.CfWorkerJsonSchemaValidator(),
      listChanged: {
        tools: { onChanged: (_, tools) => tools !== null && messages.toolsChanged(tools) },
      },
    },
  );
  client.setRequestHandler(
    "elicitation/create",
    async ({ params }, { mcpReq }) => (await messages.elicit(params, mcpReq.signal)) as never,
  );
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) =>
    messages.complete(params.elicitationId),
  );
  const { transport, said } = transportOf(server, cwd, sdk);
  const leave = () => void client.close().catch(() => {});
  signal.addEventListener("abort", leave, { once: true });
  try {
    await client.connect(transport, { signal, timeout: timeoutMs });
    const tools = await listTools(client, signal, timeoutMs);
    client.onclose = messages.closed;
    let problem: string | undefined;
    client.onerror = ({ message }) => {
      if (TOO_LONG.test(message)) problem = `It wrote a line of more than ${LONGEST_LINE / 1024 / 1024} MiB.`;
    };
    return {
      tools,
      call: (name, args, aborted, heard) =>
        client.callTool(
          { name, arguments: args },
          { signal: aborted, timeout: NO_TIMEOUT_MS, onprogress: heard },
        ),
      said,
      problem: () => problem,
      close: () => client.close(),
    };
  } catch (error) {
    await Promise.allSettled([client.close(), transport.close()]);
    const words = said();
    const { message } = error as Error;
    throw new Error(words === "" ? message : `${message}; the last it said: ${words}`, { cause: error });
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

async function listTools(client: Client, signal: AbortSignal, timeout: number): Promise<readonly McpTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  return (await client.listTools(undefined, { signal, timeout })).tools;
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

function transportOf(
  server: McpServer,
  cwd: string,
  sdk: Sdk,
): { readonly transport: Transport; readonly said: () => string } {
  if ("url" in server) {
    const { url, headers = {} } = server;
    const transport = new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    return { transport, said: () => "" };
  }
  const { command, env = agentEnvironment(process.env) } = server;
  const [executable, ...args] = command;
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const transport = new sdk.StdioClientTransport({
    command: executable,
    args,
    cwd,
    env: Object.fromEntries(given),
    stderr: "pipe",
    maxBufferSize: LONGEST_LINE,
  });
  return { transport, said: lastWords(transport.stderr) };
}

/** @throws LocalError INVALID_STATE where the SDK is not installed. */
async function loadSdk() {
  try {
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
    const { CfWorkerJsonSchemaValidator } = await import("@modelcontextprotocol/client/validators/cf-worker");
    return { Client, StreamableHTTPClientTransport, StdioClientTransport, CfWorkerJsonSchemaValidator };
  } catch (cause) {
    const next = "npm install @modelcontextprotocol/client zod";
    throw new LocalError("INVALID_STATE", `servers of MCP need the SDK of that protocol: ${next}`, { cause });
  }
}
