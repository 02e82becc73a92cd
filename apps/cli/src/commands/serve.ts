import { defined } from "@askwire/protocol/internal";
import { agentFor, commandServer, serveStandardStreams } from "../agents/agent-server.js";
import { keptSessions, sessionsInStore } from "../agents/kept-sessions.js";
import type { ServeOptions } from "../command-line/serve.js";
import { commandLog } from "../input/command-log.js";
import { usageFailure } from "../input/failure.js";
import { ownName } from "../input/own-name.js";
import { type StorePlace, storePlace } from "../stored/store-place.js";
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
  const inStore = storePlace(options);
  const attended = listen === undefined ? "attended" : "hold";
  const askApproval = listen === undefined ? undefined : approvalAtTerminal();
  const askServerApproval = listen === undefined ? undefined : serverApprovalAtTerminal();
  const agent = await agentFor({ ...options, command, attended, askApproval, askServerApproval });
  const attendance = afk ? "decline" : attended;
  // Nobody may be watching when this begins: with --yolo a turn of an earlier process waits for a client.
  const resume = options.resume && (listen === undefined || yolo || "now");
  const kept = await keptWhere(inStore, options);
  const server = () => commandServer({ ...agent, ...kept.by, yolo, attendance, rawErrors, resume });
  const name = agent.agentName ?? "askwire serve";
  const { share, sessionId } = kept;
  try {
    if (address === undefined) {
      const one = server();
      const owner = ownName(options);
      return await withInbox(one, name, () => serveStandardStreams(one, sessionId, defined({ owner })));
    }
    const { listenUntilSignal } = await import("./listen.js");
    await listenUntilSignal(server, { ...address, share, sessionId, name }, options);
  } finally {
    await kept.close();
  }
}

/**
 * The place of the sessions as a server takes it, the folder of devices and tokens, and the session to open. A place is
 * closed at the end of the command.
 */
async function keptWhere(inStore: StorePlace | undefined, options: ServeOptions) {
  const onDisk = (choice: ServeOptions | Record<string, never>) =>
    keptSessions(choice, options.workDir ?? process.cwd(), { kimi: false });
  if (inStore === undefined) {
    const { place, sessionId } = onDisk(options);
    return { by: { place }, share: place.share, sessionId, async close() {} };
  }
  const { openStore } = await import("../stored/installed-store.js");
  const { place } = onDisk({});
  const store = await openStore(inStore, commandLog());
  const { workDir, sessionId } = await sessionsInStore(store, options, place.workDir);
  return { by: { store, workDir }, share: place.share, sessionId, close: () => store.close() };
}

function readListen(text: string): { host: string; port: number } {
  const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw usageFailure(`--listen ${text}: expected HOST:PORT, such as 127.0.0.1:0 for a free port`);
  }
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}
