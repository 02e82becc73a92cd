/** @import { Answerer, Connection, ReturningConnection } from "../../contract.js" */
/** @import { ClientSession, ConnectOptions } from "@askwire/client" */
/** @import { Readable, Writable } from "node:stream" */
import { EventEmitter, once } from "node:events";
import { connectStreams } from "@askwire/client/stdio";
import {
  answeringConnection,
  answeringOptions,
  sharingConnection,
  sharingOptions,
} from "../askwire/answering.mjs";

const profile = "extended";

/** A run that fell back to the base profile would measure that. @type {(session: ClientSession) => ClientSession} */
function extended(session) {
  if (session.id === undefined) throw new Error("the extended profile was not negotiated");
  return session;
}

/** @type {(input: Readable, output: Writable, answerer: Answerer) => Promise<Connection>} */
export async function overStdio(input, output, answerer) {
  const session = await connectStreams(input, output, answeringOptions(answerer, profile));
  return answeringConnection(extended(session), answerer);
}

/** @type {(url: string, answerer: Answerer) => Promise<Connection>} */
export async function overWebSocket(url, answerer) {
  const { connectWebSocket } = await import("@askwire/client/websocket");
  const session = await connectWebSocket(url, answeringOptions(answerer, profile));
  return answeringConnection(extended(session), answerer);
}

/** @type {(url: string, answerer: Answerer) => Promise<ReturningConnection>} */
export async function overShared(url, answerer) {
  const { connectWebSocket } = await import("@askwire/client/websocket");
  const { reconnection, lost, comeBack } = heldReconnection();
  const session = await connectWebSocket(url, { ...sharingOptions(answerer, profile), ...reconnection });
  return { ...sharingConnection(extended(session)), lost, comeBack };
}

/** Holds the random wait before a client's new connection, until the client is told to come back. */
function heldReconnection() {
  const changes = new EventEmitter();
  /** The timer that was set last: at a loss, that of connecting again. */
  let latest = { forget() {}, action() {} };
  /** @type {(() => void) | undefined} */
  let reconnect;

  /** @type {Pick<ConnectOptions, "timing" | "onConnection">} */
  const reconnection = {
    timing: {
      after(ms, action) {
        const timer = setTimeout(action, ms);
        const forget = () => clearTimeout(timer);
        latest = { forget, action };
        return forget;
      },
      random: Math.random,
    },
    onConnection(change) {
      if (change.state === "lost") {
        latest.forget();
        reconnect = latest.action;
      }
      changes.emit(change.state, change);
    },
  };

  async function lost() {
    if (reconnect === undefined) await once(changes, "lost");
  }

  async function comeBack() {
    await lost();
    const connected = once(changes, "connected");
    reconnect?.();
    reconnect = undefined;
    const [{ reset }] = await connected;
    if (reset) throw new Error("the server has not kept what was missed");
  }

  return { reconnection, lost, comeBack };
}
