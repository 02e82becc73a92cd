import { rmSync } from "node:fs";
import { lastGateway, makeGatewayFolder } from "@askwire/client/gateway";
import { LocalError } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { type Agent, type AskwireServer, shareFolder, systemClock } from "@askwire/server";
import { nodeDisk, takeLock } from "@askwire/server/internal";
import { type Gateway, type ListenOptions, listenWebSocket } from "@askwire/server/websocket";
import { commandServer } from "../agents/agent-server.js";
import type { GatewayOptions } from "../command-line/mcp.js";
import { untilIdle } from "../gateway/idle.js";
import { codesFolder, GATEWAY_SESSION, writeGateway } from "../gateway/place.js";
import { onEndSignal } from "../input/end-signals.js";
import { ownName } from "../input/own-name.js";
import { ownOrigins, pageAddress } from "../reach/addresses.js";
import { builtPage } from "../reach/built-page.js";
import { keptCodes } from "../reach/kept-codes.js";
import { devicesFolder } from "../reach/kept-devices.js";
import { servedDevices } from "../reach/served-devices.js";
import { pushOf } from "./push.js";

/** Minutes that the gateway stays while nobody needs it. */
const IDLE_MIN = 10;

/** The most questions that are open: those of agents that never came back for them stay open too. */
const MOST_OPEN = 256;

/**
 * Runs the gateway of this person until nobody needs it: one session that agents ask in, and the page. Ends at once
 * where another process is the gateway.
 */
export async function gateway(options: GatewayOptions): Promise<void> {
  const share = shareFolder(process.env, { kimi: false });
  const folder = makeGatewayFolder(share);
  const release = lockOf(folder);
  if (release === undefined) return;
  try {
    const place = { share, workDir: folder };
    const server = commandServer({ agent, attendance: "hold", maxOpenRequests: MOST_OPEN, place });
    await serveUntilIdle(server, share, options);
  } finally {
    release();
  }
}

function lockOf(folder: string): (() => void) | undefined {
  try {
    return takeLock(nodeDisk, folder);
  } catch (error) {
    if (error instanceof LocalError && error.code === "INVALID_STATE") return undefined;
    throw error;
  }
}

/** The agent behind the session, which only says what the session is for. */
const agent: Agent = {
  async run(turn) {
    turn.say("The questions of your agents appear here. There is no agent to talk to.");
  },
};

async function serveUntilIdle(
  server: AskwireServer,
  share: string,
  { idle = IDLE_MIN, notify, notifyText = "header" }: GatewayOptions,
): Promise<void> {
  const page = builtPage();
  const devices = servedDevices(devicesFolder(share), {
    codes: keptCodes(codesFolder(share)),
    failed: tellError,
  });
  const stopped = new Promise<void>((resolve) => {
    onEndSignal(resolve);
  });
  const session = server.createSession({ id: GATEWAY_SESSION, stay: true });
  const push = pushOf(server, { share, text: notifyText, hosts: [], tell: tellLine });
  const listening = await listenAgain(server, share, {
    devices,
    ...defined({ owner: ownName({}) }),
    ...(page !== undefined && { page, deviceRequests: push.requests }),
  });
  const address = listening.address(session);
  const { port, host } = new URL(address);
  writeGateway(share, { pid: process.pid, port: Number(port), token: listening.token, address });
  const ends: (() => void)[] = [];
  if (notify !== undefined) {
    const { notifyOf } = await import("./notify.js");
    const url = (id: string) =>
      page === undefined ? undefined : pageAddress(`http://${host}`, { session: id });
    ends.push(notifyOf(server, { command: notify, text: notifyText, url, tell: tellLine }));
  }
  const bound = { port: Number(port), secure: false };
  if (page !== undefined) {
    const isOwn = ownOrigins({ hosts: [], publicOrigin: undefined }, bound);
    ends.push(push.begin({ origin: `http://${host}`, isOwn }));
  }
  await Promise.race([stopped, untilIdle(server, idle * 60_000, systemClock)]);
  for (const end of ends) end();
  rmSync(codesFolder(share), { recursive: true, force: true });
  await listening.close();
  await server.close();
}

/** Listens where the last gateway did, so that agents and browsers find this one; else at a free port, with a new token. */
async function listenAgain(server: AskwireServer, share: string, options: ListenOptions): Promise<Gateway> {
  const last = lastGateway(share);
  if (last === undefined) return listenWebSocket(server, options);
  const { port, token } = last;
  try {
    return await listenWebSocket(server, { ...options, port, token });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    // The program that has the port may have been sent the token by a client that came back.
    return listenWebSocket(server, options);
  }
}

const tellLine = (line: string) => void process.stderr.write(`askwire: gateway: ${line}\n`);
const tellError = ({ message }: Error) => tellLine(`a device cannot be kept: ${message}`);
