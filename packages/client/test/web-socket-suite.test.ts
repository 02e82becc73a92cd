import { defaultLimits, type MessageChannel } from "@askwire/protocol";
import { type LinkedChannels, transportSuite } from "@askwire/protocol/testing";
import { test } from "vitest";
import { type ConnectedClient, createServer } from "../../server/src/index.js";
import { listenWebSocket } from "../../server/src/websocket.js";
// No public face hands out the client's channel: `connectWebSocket` wraps it in a session.
import { openSocket } from "../src/sockets/node.js";
import { socketChannel } from "../src/sockets/socket.js";

/** The channel of a gateway, as it hands it to its server, and that of a client over the loopback. */
async function overWebSocket() {
  const server = createServer({ agent: () => ({ run: async () => {} }) });
  const accepted: MessageChannel[] = [];
  const connect = (channel: MessageChannel) => {
    accepted.push(channel);
    return {} as ConnectedClient;
  };
  const gateway = await listenWebSocket({ ...server, connect });
  const address = new URL(gateway.address(server.createSession()));
  const token = address.hash.slice(1);
  address.hash = "";
  const opened = openSocket(address.href, token, defaultLimits.inboundBytes);
  const client = socketChannel(opened, (code) => (code === 1000 ? undefined : new Error(`code ${code}`)));
  await new Promise<void>((resolve) => opened.socket.addEventListener("open", () => resolve()));
  const free = async () => {
    await gateway.close();
    await server.close();
  };
  return { client, server: accepted[0] as MessageChannel, free };
}

const suite = (name: string, link: (channels: Awaited<ReturnType<typeof overWebSocket>>) => LinkedChannels) =>
  transportSuite(name, () => overWebSocket().then(link), test);

suite("WebSocket, from client to server", ({ client, server, free }) => ({
  left: client,
  right: server,
  free,
}));
suite("WebSocket, from server to client", ({ client, server, free }) => ({
  left: server,
  right: client,
  free,
}));
