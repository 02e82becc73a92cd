import { join } from "node:path";
import { makeGatewayFolder } from "@askwire/client/gateway";
import { shareFolder } from "@askwire/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpOptions } from "../command-line/mcp.js";
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
    undeliveredIn: join(folder, "not-fetched"),
    connect: (asker) => connectPlace(asker, place, tell),
    openQuestions: (asker) => openAt(asker, place),
    onCancel: options.onCancel,
  });
  const { timeout, via } = options;
  const isOwnGateway = options.connect === undefined;
  const served = serveStdio(() => askServer({ ...way, via, isOwnGateway, timeout, folder: process.cwd() }));
  await new Promise<void>((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve);
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => resolve());
  });
  await way.close();
  await served.close();
  process.exit();
}
