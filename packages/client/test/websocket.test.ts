import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { LocalError } from "@askwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { connectWebSocket } from "../src/websocket.js";

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/wire#token`;
}

/** A WebSocket server that is not Askwire, at its address. */
async function foreign(act: (socket: WebSocket) => void, protocol: string | false = "askwire.v1") {
  const http = createHttpServer();
  const server = new WebSocketServer({ server: http, handleProtocols: () => protocol });
  server.on("connection", (socket) => {
    socket.on("error", () => {});
    act(socket);
  });
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
  });
  return await listen(http);
}

/** Connects, and returns the failure. The timeout leaves a busy machine the time to connect. */
async function failure(address: string, initializeTimeoutMs = 30_000): Promise<LocalError> {
  const error = await connectWebSocket(address, { initializeTimeoutMs }).then(
    () => new Error("it connected"),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(LocalError);
  expect((error as LocalError).message).not.toContain("\n");
  return error as LocalError;
}

const silence = 2_000;
const initialize = '"initialize" was not answered in 2000 ms: is the other side an Askwire server?';

describe("a server that cannot be connected (P-CLI-4)", () => {
  test("an address where nothing listens is reported in one line with the next step", async () => {
    const server = createTcpServer();
    const address = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const { host } = new URL(address);
    expect((await failure(address)).message).toBe(
      `could not connect to ${host}: connect ECONNREFUSED ${host}; check the address and that the server runs`,
    );
  });

  test("an HTTP server that knows no WebSocket is reported in one line with the next step", async () => {
    const address = await listen(createHttpServer((_request, response) => response.writeHead(404).end()));
    expect((await failure(address)).message).toBe(
      `could not connect to ${new URL(address).host}: the server answered with HTTP status 404; check the address and that the server runs`,
    );
  });

  test("a server that refuses is reported with the reason in one line", async () => {
    const refusal = "origin https://evil.example is foreign\nand more";
    const address = await listen(
      createHttpServer((_request, response) => response.writeHead(403).end(refusal)),
    );
    expect((await failure(address)).message).toContain(
      "the server answered with HTTP status 403 (origin https://evil.example is foreign); check",
    );
  });

  test("a server that takes the connection and says nothing is reported in one line with the next step", async () => {
    const sockets: { destroy(): void }[] = [];
    const address = await listen(createTcpServer((socket) => sockets.push(socket)));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    expect((await failure(address, 100)).message).toBe(
      `could not connect to ${new URL(address).host}: no answer in 100 ms; check the address and that the server runs`,
    );
  });

  test("a server that is no HTTP is reported in one line with the next step", async () => {
    const address = await listen(
      createTcpServer((socket) => socket.on("error", () => {}).end("220 mail\r\n")),
    );
    expect((await failure(address)).message).toMatch(/^could not connect to .*; check the address and/);
  });

  test("a WebSocket server that does not speak our subprotocol is reported in one line with the next step", async () => {
    const { message } = await failure(await foreign(() => {}, false));
    expect(message).toMatch(/: Server sent no subprotocol; check the address and that the server runs$/);
  });

  test.each<[string, (socket: WebSocket) => void, string]>([
    ["answers nothing", () => {}, initialize],
    ["answers garbage", (socket) => socket.on("message", () => socket.send("hello?")), initialize],
    [
      "answers something else",
      (socket) => socket.on("message", () => socket.send('{"type":"welcome"}')),
      initialize,
    ],
    [
      "sends bytes",
      (socket) => socket.send(Buffer.from("hello")),
      "the connection closed with code 1003 before the server answered: is it an Askwire server?",
    ],
    [
      "says goodbye",
      (socket) => socket.close(),
      "the connection closed with code 1005 before the server answered: is it an Askwire server?",
    ],
    [
      "says goodbye politely",
      (socket) => socket.close(1000),
      "the connection closed with code 1000 before the server answered: is it an Askwire server?",
    ],
    [
      "says goodbye in its own words",
      (socket) => socket.close(4000, "who\nare you?"),
      "the connection closed with code 4000 before the server answered: is it an Askwire server?",
    ],
    [
      "hangs up",
      (socket) => socket.terminate(),
      "the connection closed with code 1006 before the server answered: is it an Askwire server?",
    ],
  ])("a WebSocket server that %s is reported in one line with the next step", async (_, act, message) => {
    const address = await foreign(act);
    const { message: told } = await failure(address, message === initialize ? silence : undefined);
    expect(told).toBe(message);
  });

  test.each([
    ["", ""],
    ["localhost:1", "localhost:1"],
    ["http://127.0.0.1:1/wire#secret", "http://127.0.0.1:1/wire#…"],
    ["ws://", "ws://"],
    ["ws://127.0.0.1:1/wire#100%", "ws://127.0.0.1:1/wire#…"],
  ])("%j is no address, and a token in it is not repeated", async (address, shown) => {
    expect((await failure(address)).message).toBe(
      `"${shown}" is no address: expected ws://host:port/wire/<id>#<token>, as the server prints it`,
    );
  });
});

/** A server that greets, and acts when it is prompted. */
const greeting = (act: (socket: WebSocket) => void) =>
  foreign((socket) => {
    socket.on("message", (data: Buffer) => {
      const { id, method } = JSON.parse(data.toString()) as { id: string; method: string };
      if (method === "prompt") return act(socket);
      const result = { protocol_version: "1.10", server: { name: "raw", version: "0" }, slash_commands: [] };
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });

describe("a conversation that is cut off", () => {
  test.each<[string, (socket: WebSocket) => void, string]>([
    [
      "breaks",
      (socket) => socket.terminate(),
      "the connection closed with code 1006: the connection broke; check that the server runs, and connect again",
    ],
    [
      "is stopped",
      (socket) => socket.close(1012, "bye"),
      "the connection closed with code 1012: the server is stopping; connect again when it runs, to the address that it prints",
    ],
    [
      "is too fast",
      (socket) => socket.close(4408, "too slow: reconnect"),
      "the connection closed with code 4408: this client read too slowly; connect again, and do less in its event handler",
    ],
    [
      "has another of this client",
      (socket) => socket.close(4409),
      "the connection closed with code 4409: another connection of the same client took over; go on with that one",
    ],
    [
      "has its own words",
      (socket) => socket.close(4000, "lunch"),
      "the connection closed with code 4000: lunch",
    ],
  ])(
    "a conversation that is cut off by a server that %s says why, and what to do",
    async (_, act, message) => {
      const session = await connectWebSocket(await greeting(act));
      await expect(session.prompt("go").result).rejects.toMatchObject({ code: "CLOSED", message });
    },
  );

  test("a conversation that is cut off by a message that is longer than the client's limit says why, and what to do", async () => {
    const address = await greeting((socket) => socket.send("x".repeat(2_000)));
    const session = await connectWebSocket(address, { limits: { inboundBytes: 1_000 } });
    await expect(session.prompt("go").result).rejects.toMatchObject({
      code: "CLOSED",
      message: expect.stringContaining("1006 (Max payload size exceeded)"),
    });
  });

  test("a conversation that is cut off before the greeting says why, and what to do", async () => {
    const { message } = await failure(await foreign((socket) => socket.close(1012)));
    expect(message).toContain("code 1012: the server is stopping; connect again");
  });
});
