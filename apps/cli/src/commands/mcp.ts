import { join } from "node:path";
import { makeGatewayFolder } from "@askwire/client/gateway";
import { shareFolder } from "@askwire/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpOptions } from "../command-line/mcp.js";
import { onEndSignal } from "../input/end-signals.js";
import { connectPlace, openAt } from "../mcp/connected-gateway.js";
import { handlesIn } from "../mcp/handles.js";
import { askServer } from "../mcp/server.js";
import { throughGateway } from "../mcp/through-gateway.js";
import { askedPlace } from "./asked-place.js";

/** Serves the tools that ask over standard input and output, until the host closes them. */
export async function mcp(options: McpOptions): Promise<void> {
  const share = shareFolder(process.env, { kimi: false });
  const place = askedPlace("mcp", share, options);
  const tell = (line: string) => void process.stderr.write(`askwire: mcp: ${line}\n`);
  const folder = makeGatewayFolder(share);
  const way = throughGateway({
    handles: handlesIn(folder),
    contentIn: join(folder, "asked"),
    undeliveredIn: join(folder, "not-fetched"),
    connect: (asker) => connectPlace(asker, place, tell),
    openQuestions: (asker) => openAt(asker, place),
    onCancel: options.onCancel,
  });
  const { timeout, via, approvals } = options;
  const isOwnGateway = options.connect === undefined;
  const permissions = approvals === true ? way.asking : undefined;
  const make = () => askServer({ ...way, via, isOwnGateway, timeout, permissions, folder: process.cwd() });

  const failing = new AbortController();
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LONGEST_LINE });
  const onerror = ({ message }: Error) => {
    if (!/exceeded maximum size/.test(message)) return;
    tellTooLong(tell);
    failing.abort();
  };
  const served = serveStdio(make, { transport, onerror });
  await new Promise<void>((resolve) => {
    failing.signal.addEventListener("abort", () => resolve(), { once: true });
    process.stdin.once("end", resolve).once("close", resolve);
    onEndSignal(resolve);
  });
  await way.close();
  await served.close();
  process.exit();
}

/** The longest message of a host, in bytes. */
const LONGEST_LINE = 10 * 1024 * 1024;

/** Tells the host and whoever reads its log why this server ends: the rest of such a line cannot be found. */
function tellTooLong(tell: (line: string) => void): void {
  const message = `a message has more than ${LONGEST_LINE / 1024 / 1024} MiB: expected shorter questions; this server ends`;
  const error = { code: -32700, message };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error })}\n`);
  tell(message);
  process.exitCode = 1;
}
