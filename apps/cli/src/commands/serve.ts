import { defined } from "@askwire/protocol/internal";
import { agentFor, commandServer, serveStandardStreams } from "../agents/agent-server.js";
import { keptSessions } from "../agents/kept-sessions.js";
import type { ServeOptions } from "../command-line/serve.js";
import { usageFailure } from "../input/failure.js";
import { ownName } from "../input/own-name.js";
import { approvalAtTerminal, serverApprovalAtTerminal } from "./ask-approval.js";
import { refuseListenOptions } from "./listen-options.js";
import { withInbox } from "./registered.js";

/** Serves an agent to one client over standard input and output, or to many over WebSocket. */
export async function serve(command: readonly string[], options: ServeOptions): Promise<void> {
  const { stdio = false, listen, yolo = false, afk = false, rawErrors = false } = options;
  if (stdio === (listen !== undefined)) {
    throw usageFailure("serve: expected --stdio, or --listen HOST:PORT");
  }
  if (listen === undefined) refuseListenOptions(options);
  const address = listen === undefined ? undefined : readListen(listen);
  const attended = listen === undefined ? "attended" : "hold";
  const askApproval = listen === undefined ? undefined : approvalAtTerminal();
  const askServerApproval = listen === undefined ? undefined : serverApprovalAtTerminal();
  const agent = await agentFor({ ...options, command, attended, askApproval, askServerApproval });
  const { place, sessionId } = keptSessions(options, options.workDir ?? process.cwd(), {
    kimi: false,
  });
  const attendance = afk ? "decline" : attended;
  // Nobody may be watching when this begins: with --yolo a turn of an earlier process waits for a client.
  const resume = options.resume && (listen === undefined || yolo || "now");
  const server = () => commandServer({ ...agent, place, yolo, attendance, rawErrors, resume });
  const name = agent.agentName ?? "askwire serve";
  if (address === undefined) {
    const one = server();
    const owner = ownName(options);
    return withInbox(one, name, () => serveStandardStreams(one, sessionId, defined({ owner })));
  }
  const { listenUntilSignal } = await import("./listen.js");
  await listenUntilSignal(server, { ...address, share: place.share, sessionId, name }, options);
}

function readListen(text: string): { host: string; port: number } {
  const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw usageFailure(`--listen ${text}: expected HOST:PORT, such as 127.0.0.1:0 for a free port`);
  }
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}
