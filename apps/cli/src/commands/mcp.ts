import { join } from "node:path";
import { shareFolder } from "@askwire/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpOptions } from "../command-line/mcp.js";
import { findGateway } from "../gateway/find.js";
import { makeGatewayFolder } from "../gateway/place.js";
import { usageFailure } from "../input/failure.js";
import { clientToken } from "../input/token.js";
import { connectGateway, type Located, openAt } from "../mcp/connected-gateway.js";
import { handlesIn } from "../mcp/handles.js";
import { askServer } from "../mcp/server.js";
import { throughGateway } from "../mcp/through-gateway.js";

/** Serves the tools that ask over standard input and output, until the host closes them. */
export async function mcp(options: McpOptions): Promise<void> {
  const share = shareFolder(process.env, { kimi: false });
  const locate = placeOf(share, options);
  const tell = (line: string) => void process.stderr.write(`askwire: mcp: ${line}\n`);
  const folder = makeGatewayFolder(share);
  const way = throughGateway({
    handles: handlesIn(folder),
    undeliveredIn: join(folder, "not-fetched"),
    connect: (asker) => connectGateway(asker, locate, tell),
    openQuestions: (asker) => openAt(asker, locate),
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

function placeOf(share: string, options: McpOptions): () => Promise<Located> {
  const { connect, tokenFile, notify, idle } = options;
  if (connect === undefined) {
    if (tokenFile !== undefined)
      throw usageFailure("mcp: --token-file needs --connect ADDRESS: add that, or leave it out");
    return () => findGateway(share, options);
  }
  if (notify !== undefined || idle !== undefined)
    throw usageFailure(
      `mcp: --${notify === undefined ? "idle" : "notify"} is for your own gateway: leave --connect out`,
    );
  const token = /#./s.test(connect) ? undefined : clientToken(options);
  return async () => ({ address: connect, token });
}
