import { defined } from "@askwire/protocol/internal";
import { shareFolder } from "@askwire/server";
import { agentFor, commandServer, serveStandardStreams } from "../agents/agent-server.js";
import { keptSessions } from "../agents/kept-sessions.js";
import type { ServeOptions } from "../command-line/serve.js";
import { usageFailure } from "../input/failure.js";
import { readHostPort } from "../input/host-port.js";
import { ownName } from "../input/own-name.js";
import { approvalAtTerminal, serverApprovalAtTerminal } from "./ask-approval.js";
import { refuseListenOptions } from "./listen-options.js";
import type { Measured } from "./measured.js";
import { withInbox } from "./registered.js";

/** Serves an agent to one client over standard input and output, or to many over WebSocket. */
export async function serve(command: readonly string[], options: ServeOptions): Promise<void> {
  const { stdio = false, listen, yolo = false, afk = false, rawErrors = false } = options;
  if (stdio === (listen !== undefined)) {
    throw usageFailure("serve: expected --stdio, or --listen HOST:PORT");
  }
  if (listen === undefined) refuseListenOptions(options);
  const address = listen === undefined ? undefined : readHostPort("--listen", listen);
  const attended = listen === undefined ? "attended" : "hold";
  const measured = await measuredBy(options);
  try {
    const askApproval = listen === undefined ? undefined : approvalAtTerminal();
    const askServerApproval = listen === undefined ? undefined : serverApprovalAtTerminal();
    const agent = await agentFor({ ...options, command, attended, askApproval, askServerApproval });
    const { place, sessionId } = keptSessions(options, options.workDir ?? process.cwd(), {
      kimi: false,
    });
    const attendance = afk ? "decline" : attended;
    // Nobody may be watching when this begins: with --yolo a turn of an earlier process waits for a client.
    const resume = options.resume && (listen === undefined || yolo || "now");
    const observe = measured?.observe ?? [];
    const server = () => commandServer({ ...agent, place, yolo, attendance, rawErrors, resume, observe });
    const name = agent.agentName ?? "askwire serve";
    if (address === undefined) {
      const one = server();
      const owner = ownName(options);
      measured?.serves(one);
      return await withInbox(one, name, () => serveStandardStreams(one, sessionId, defined({ owner })));
    }
    const { listenUntilSignal } = await import("./listen.js");
    const to = { ...address, share: place.share, sessionId, name, measured };
    await listenUntilSignal(server, to, options);
  } finally {
    await measured?.close();
  }
}

/** The measures that monitors read; undefined without `--metrics`. */
async function measuredBy(options: ServeOptions): Promise<Measured | undefined> {
  if (options.metrics === undefined) return undefined;
  const { openMeasured } = await import("./measured.js");
  return openMeasured(options.metrics, options, shareFolder(process.env, { kimi: false }));
}
