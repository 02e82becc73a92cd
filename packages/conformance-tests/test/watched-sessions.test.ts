import { type ClientSession, type ConnectOptions, connect } from "@askwire/client";
import { connectJsonRpc } from "@askwire/client/vscode-jsonrpc";
import { connectWebSocket } from "@askwire/client/websocket";
import type { ListedSession } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { type AskwireServer, createServer, QuestionRequest, wireSend } from "@askwire/server";
import { serveJsonRpc } from "@askwire/server/vscode-jsonrpc";
import { listenWebSocket } from "@askwire/server/websocket";
import { expect, onTestFinished, test } from "vitest";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { socketPair } from "./socket-pair.js";

type Way = (server: AskwireServer, options?: ConnectOptions) => Promise<ClientSession>;

const streamed = async () =>
  (await socketPair()).map((socket) => ({
    reader: new StreamMessageReader(socket),
    writer: new StreamMessageWriter(socket),
  })) as [Streamed, Streamed];
type Streamed = { reader: StreamMessageReader; writer: StreamMessageWriter };

/** The ways to a server whose sessions can be listed. */
const ways: Readonly<Record<string, Way>> = {
  memory(server, options) {
    const { left, right } = linkedPair();
    server.connect(left, { sessionMethods: true });
    return connect(right, options);
  },
  async WebSocket(server, options) {
    const gateway = await listenWebSocket(server);
    onTestFinished(() => gateway.close());
    return connectWebSocket(gateway.address(server.createSession()), options);
  },
  async "a reader and a writer of vscode-jsonrpc"(server, options) {
    const [left, right] = await streamed();
    serveJsonRpc(server, left, { sessionMethods: true });
    return connectJsonRpc(right, options);
  },
  async "a connection of vscode-jsonrpc"(server, options) {
    const [left, right] = await streamed();
    serveJsonRpc(server, createMessageConnection(left.reader, left.writer), { sessionMethods: true });
    return connectJsonRpc(createMessageConnection(right.reader, right.writer), options);
  },
};

test.each(Object.entries(ways))(
  "over %s the sessions of a server are watched (P-XSE-5)",
  async (_name, way) => {
    const run = async () => {
      const request = new QuestionRequest({
        tool_call_id: "tc",
        questions: [{ question: "Red?", options: [] }],
      });
      wireSend(request);
      await request.wait();
    };
    const server = createServer({ agent: { run }, attendance: "hold" });
    onTestFinished(() => server.close());
    const session = await way(server);
    const lists = session.watchSessions();
    const waits = (list: readonly ListedSession[]) => list.find(({ open = 0 }) => open > 0);
    const until = async (fits: (list: readonly ListedSession[]) => boolean) => {
      for await (const list of { [Symbol.asyncIterator]: () => ({ next: () => lists.next() }) })
        if (fits(list)) return list;
      throw new Error("the watch ended");
    };
    await until((list) => list.length > 0);
    const made = server.createSession();
    const prompt = made.prompt("Paint it");
    const found = waits(await until((list) => waits(list) !== undefined));
    expect(found).toMatchObject({
      id: made.id,
      title: "Paint it",
      oldest: { kind: "question", text: "Red?" },
    });
    await made.close();
    expect(await prompt).toEqual({ status: "cancelled" });
    await until((list) => !list.some(({ id }) => id === made.id));
    await lists.return?.();
    expect((await session.listSessions()).length).toBeGreaterThan(0);
    await session.close();
  },
);
