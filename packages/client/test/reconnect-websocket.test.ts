import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { closeCodeOf, connectWebSocket, type WebSocketConnectOptions } from "../src/websocket.js";
import { fakeTiming, greeting } from "./extended-server.js";

/** The words of a client when it connected. */
interface Visit {
  readonly socket: WebSocket;
  readonly path: string | undefined;
  readonly token: string | undefined;
  readonly session: object | undefined;
}

/** A WebSocket server of the extended profile at `/wire`, which greets everybody, and who came. */
async function greeter(act: (visit: Visit) => void = () => {}) {
  const http = createServer();
  const server = new WebSocketServer({ server: http, handleProtocols: () => "askwire.v1" });
  const visits: Visit[] = [];
  server.on("connection", (socket: WebSocket, { url, headers }: IncomingMessage) => {
    socket.once("message", (data: Buffer) => {
      const { id, params } = JSON.parse(data.toString()) as { id: string; params: { session?: object } };
      const visit = { socket, path: url, token: headers.authorization, session: params.session };
      visits.push(visit);
      act(visit);
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: greeting() }));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { visits, address: `ws://127.0.0.1:${port}/wire#secret` };
}

async function connected(address: string, options: WebSocketConnectOptions = {}) {
  const time = fakeTiming();
  const session = await connectWebSocket(address, { timing: time.timing, ...options });
  onTestFinished(() => session.close());
  return { session, time };
}

describe("over WebSocket a lost connection is opened again (P-XCL-2)", () => {
  test.each<[string, (socket: WebSocket) => void]>([
    ["that broke", (socket) => socket.terminate()],
    ["of a server that restarts", (socket) => socket.close(1012)],
    ["that was too slow", (socket) => socket.close(4408)],
    ["of a server that was full", (socket) => socket.close(4413)],
  ])(
    "a lost connection %s is opened again, at the same address, with the same token, for the session that it had",
    async (_what, end) => {
      const { visits, address } = await greeter();
      const { session, time } = await connected(address);
      end(visits[0]?.socket as WebSocket);
      await expect.poll(() => session.connection).toBe("lost");
      time.fire();
      await expect.poll(() => session.connection).toBe("connected");
      expect(visits.map(({ path, token }) => [path, token])).toEqual([
        ["/wire", "Bearer secret"],
        ["/wire", "Bearer secret"],
      ]);
      expect(visits.map((visit) => visit.session)).toEqual([
        undefined,
        { id: "s-1", stream: "st-1", after_seq: 0 },
      ]);
    },
  );

  test("a lost connection is opened again at once where somebody asks for it, and never twice", async () => {
    const { visits, address } = await greeter();
    const { session, time } = await connected(address);
    session.reconnect();
    visits[0]?.socket.terminate();
    await expect.poll(() => session.connection).toBe("lost");
    session.reconnect();
    session.reconnect();
    await expect.poll(() => session.connection).toBe("connected");
    expect(visits).toHaveLength(2);
    await session.close();
    session.reconnect();
    expect([session.connection, time.waits()]).toEqual(["closed", []]);
  });

  test.each([
    [4401, "the server refused the token"],
    [4404, "the server has no such session"],
    [4409, "another connection of the same client took over"],
  ])("a connection is not opened again after the code %i", async (code, message) => {
    const { visits, address } = await greeter();
    const { session, time } = await connected(address);
    visits[0]?.socket.close(code);
    const cause = await session.closed;
    expect(cause).toMatchObject({ message: expect.stringContaining(message) });
    expect(closeCodeOf(cause)).toBe(code);
    expect([session.connection, time.waits(), visits.length]).toEqual(["closed", [], 1]);
  });

  test("a connection is not opened again after an orderly end", async () => {
    const { visits, address } = await greeter();
    const { session, time } = await connected(address);
    visits[0]?.socket.close(1000);
    expect(await session.closed).toBeUndefined();
    expect(time.waits()).toEqual([]);
  });

  test("a session that is gone when the client comes back ends it (4404)", async () => {
    let gone = false;
    const { visits, address } = await greeter(({ socket }) => gone && socket.close(4404));
    const { session, time } = await connected(address);
    gone = true;
    visits[0]?.socket.terminate();
    await expect.poll(() => session.connection).toBe("lost");
    time.fire();
    expect(await session.closed).toMatchObject({ code: "REFUSED" });
    expect(time.waits()).toEqual([]);
  });

  test("a connection is not opened again where that is not wanted", async () => {
    const { visits, address } = await greeter();
    const { session } = await connected(address, { reconnect: false });
    visits[0]?.socket.terminate();
    expect(await session.closed).toMatchObject({ code: "CLOSED" });
  });

  test("closing while a connection is being opened gives that up", async () => {
    const { visits, address } = await greeter();
    const { session, time } = await connected(address);
    visits[0]?.socket.terminate();
    await expect.poll(() => session.connection).toBe("lost");
    time.fire();
    await session.close();
    expect(await session.closed).toBeUndefined();
    await expect.poll(time.waits).toEqual([]);
  });
});
