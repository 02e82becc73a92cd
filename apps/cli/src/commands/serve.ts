import { defined } from "@askwire/protocol/internal";
import { type AskwireServer, type SessionStore, shareFolder } from "@askwire/server";
import type { Nodes } from "@askwire/server/websocket";
import { agentFor, commandServer, serveStandardStreams } from "../agents/agent-server.js";
import { keptSessions, refuseUsedRow, refuseUsedSession, sessionsInStore } from "../agents/kept-sessions.js";
import type { ServeOptions } from "../command-line/serve.js";
import { commandLog } from "../input/command-log.js";
import { usageFailure } from "../input/failure.js";
import { readHostPort } from "../input/host-port.js";
import { ownName } from "../input/own-name.js";
import { requireFolder } from "../input/require-folder.js";
import { grantsFolder, servedGrants } from "../reach/kept-grants.js";
import { type NodePlace, nodePlace } from "../stored/node-place.js";
import { type StorePlace, storePlace } from "../stored/store-place.js";
import { tenantNames, tenantShare } from "../stored/tenant-names.js";
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
  const inStore = storePlace(options);
  const node = nodePlace(options);
  const tenants = tenantNames(options);
  const attended = listen === undefined ? "attended" : "hold";
  const measured = await measuredBy(options, inStore);
  try {
    requireFolder(options.workDir ?? process.cwd());
    const kept = await keptWhere(inStore, options, node, tenants.length > 0);
    try {
      const askApproval = listen === undefined ? undefined : approvalAtTerminal();
      const askServerApproval = listen === undefined ? undefined : serverApprovalAtTerminal();
      const chosen = { ...options, command, attended, askApproval, askServerApproval } as const;
      const { agent, end } = await agentFor(chosen);
      const attendance = afk ? "decline" : attended;
      // Nobody may be watching when this begins: with --yolo a turn of an earlier process waits for a client.
      const resume = options.resume && (listen === undefined || yolo || "now");
      const observe = measured?.observe ?? [];
      const server = (tenant?: string) => {
        const home = tenant === undefined ? kept.share : tenantShare(kept.share, tenant);
        const roles = servedGrants(grantsFolder(home), commandLog());
        const by = kept.by(tenant);
        return commandServer({ ...agent, ...by, yolo, attendance, rawErrors, resume, observe, roles });
      };
      const name = agent.agentName ?? "askwire serve";
      try {
        await serveKept(server, { ...kept, tenants, address, name, measured }, options);
      } finally {
        await end();
      }
    } finally {
      await kept.close();
    }
  } finally {
    await measured?.close();
  }
}

interface Served {
  /** Undefined for standard input and output. */
  readonly address: { readonly host: string; readonly port: number } | undefined;
  readonly share: string;
  /** The names of the tenants. */
  readonly tenants: readonly string[];
  readonly sessionId: string | undefined;
  readonly name: string;
  /** The other nodes. Undefined for a server alone. */
  readonly nodes: Nodes | undefined;
  readonly measured: Measured | undefined;
}

async function serveKept(
  server: (tenant?: string) => AskwireServer,
  { address, ...served }: Served,
  options: ServeOptions,
): Promise<void> {
  const { sessionId, name, measured } = served;
  if (address === undefined) {
    const one = server();
    const owner = ownName(options);
    measured?.serves(one);
    return withInbox(one, { name, person: owner }, () =>
      serveStandardStreams(one, sessionId, defined({ owner })),
    );
  }
  const { listenUntilSignal } = await import("./listen.js");
  await listenUntilSignal(server, { ...address, ...served }, options);
}

/**
 * The place of the sessions as the server of a tenant takes it, the folder of devices and tokens, and the session to open.
 * A place is closed at the end of the command.
 */
async function keptWhere(
  inStore: StorePlace | undefined,
  options: ServeOptions,
  node: NodePlace | undefined,
  hasTenants: boolean,
) {
  const onDisk = (choice: ServeOptions | Record<string, never>) =>
    keptSessions(choice, options.workDir ?? process.cwd(), { kimi: false });
  if (inStore === undefined) {
    const found = onDisk(options);
    refuseUsedSession(found);
    const { place, sessionId } = found;
    const by = (tenant?: string) => ({
      place: tenant === undefined ? place : { ...place, share: tenantShare(place.share, tenant) },
    });
    return { by, share: place.share, sessionId, nodes: undefined, async close() {} };
  }
  const { openStore } = await import("../stored/installed-store.js");
  const { place } = onDisk({});
  const opened = { ...defined({ nodeAddress: node?.address }), tenants: hasTenants };
  const store = await openStore(inStore, commandLog(), opened);
  const found = await freeInStore(store, options, place.workDir).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const { workDir, sessionId } = found;
  const of = (tenant?: string) => (tenant === undefined ? store : store.tenant(tenant));
  const nodes = node && {
    linkSecret: node.linkSecret,
    ownerOf: (id: string, tenant?: string) => of(tenant).ownerOf(id),
  };
  const by = (tenant?: string) => ({ store: of(tenant), workDir });
  return { by, share: place.share, sessionId, nodes, close: () => store.close() };
}

/** The session of a store. One client has it alone: a session that another process has is refused. */
async function freeInStore(store: SessionStore, options: ServeOptions, workDir: string) {
  const found = await sessionsInStore(store, options, workDir);
  if (options.listen === undefined) await refuseUsedRow(found);
  return found;
}

/** The measures that monitors read or are sent; undefined without `--metrics` and `--otlp`. */
async function measuredBy(
  options: ServeOptions,
  inStore: StorePlace | undefined,
): Promise<Measured | undefined> {
  const { metrics, otlp, metricsTokenFile } = options;
  if (metrics === undefined && metricsTokenFile !== undefined)
    throw usageFailure("--metrics-token-file: add --metrics PORT");
  if ((metrics ?? otlp) === undefined) return undefined;
  const { openMeasured } = await import("./measured.js");
  const share = inStore === undefined ? shareFolder(process.env, { kimi: false }) : undefined;
  return openMeasured(options, share);
}
