import type { Socket } from "node:net";
import { type ClientSession, type ConnectOptions, connect } from "@askwire/client";
import { connectStreams } from "@askwire/client/stdio";
import { connectJsonRpc } from "@askwire/client/vscode-jsonrpc";
import { connectWebSocket } from "@askwire/client/websocket";
import { linkedPair } from "@askwire/protocol/testing";
import {
  type AskwireServer,
  type ConnectOptions as ServeOptions,
  type Session,
  serveStdio,
} from "@askwire/server";
import { serveJsonRpc } from "@askwire/server/vscode-jsonrpc";
import { listenWebSocket } from "@askwire/server/websocket";
import { onTestFinished } from "vitest";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { socketPair } from "./socket-pair.js";

/** The place of a client at its server. Default: a session of its own, with all rights. */
export interface Place {
  readonly session?: Session;
  readonly role?: "answer";
}

/** A way of one client to a server in this process. */
type Way = (server: AskwireServer, options: ConnectOptions, place: Place) => Promise<ClientSession>;

const streamed = (socket: Socket) => ({
  reader: new StreamMessageReader(socket),
  writer: new StreamMessageWriter(socket),
});

const connection = (socket: Socket) => {
  const { reader, writer } = streamed(socket);
  return createMessageConnection(reader, writer);
};

const served = (place: Place): ServeOptions => ({ ...place, sessionMethods: true });

/** Transports over which several clients may be on one session, and list the sessions. */
const manyToOne: Readonly<Record<string, Way>> = {
  memory(server, options, place) {
    const { left, right } = linkedPair();
    server.connect(left, served(place));
    return connect(right, options);
  },
  async WebSocket(server, options, { session = server.createSession(), role }) {
    const gateway = await listenWebSocket(server, role === undefined ? {} : { answerToken: true });
    onTestFinished(() => gateway.close());
    return connectWebSocket(gateway.address(session, role), options);
  },
  async "a reader and a writer of vscode-jsonrpc"(server, options, place) {
    const [left, right] = await socketPair();
    serveJsonRpc(server, streamed(left), served(place));
    return connectJsonRpc(streamed(right), options);
  },
  async "a connection of vscode-jsonrpc"(server, options, place) {
    const [left, right] = await socketPair();
    serveJsonRpc(server, connection(left), served(place));
    return connectJsonRpc(connection(right), options);
  },
};

/** Standard streams, each of a client of its own. */
const oneToOne: Readonly<Record<string, Way>> = {
  async "standard streams"(server, options) {
    const [left, right] = await socketPair();
    void serveStdio(server, { input: left, output: left });
    return connectStreams(right, right, options);
  },
};

/** Each transport by its name, with its way to a server. */
export const ways = Object.entries({ ...manyToOne, ...oneToOne });
export const waysForMany = Object.entries(manyToOne);
