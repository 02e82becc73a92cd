import { once } from "node:events";
import { type AddressInfo, createServer as createNetServer } from "node:net";
import { createServer } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { clusterSuite, conformance } from "../src/index.js";

const token = "a-token-of-all-nodes-12345678901";

function newServer() {
  const server = createServer({ agent: { async run() {} } });
  onTestFinished(() => server.close());
  return server;
}

/** The address of a door of a server: several doors of one server are what several nodes shall be like. */
async function doorOf(server: ReturnType<typeof newServer>): Promise<string> {
  const gateway = await listenWebSocket(server, { port: 0, token });
  onTestFinished(() => gateway.close());
  return gateway.address({ id: "any" }).replace("/wire/any", "/wire");
}

type Message = Record<string, unknown> & {
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
};

interface Fault {
  /** Changes a message of a client; undefined swallows it. */
  toNode?(message: Message): Message | undefined;
  /** Changes a message of the node. */
  toClient?(message: Message): Message | undefined;
}

/** The address of a node that has the door of another behind it, and a fault. */
async function faultyAt(
  door: string,
  { toNode = (it) => it, toClient = (it) => it }: Fault,
): Promise<string> {
  const http = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: () => "askwire.v1" });
  await once(http, "listening");
  onTestFinished(() => {
    for (const client of http.clients) client.terminate();
    http.close();
  });
  http.on("connection", (client, request) => {
    const to = new WebSocket(door.replace(/\/wire#.*/, request.url ?? ""), "askwire.v1", {
      headers: { authorization: `Bearer ${token}` },
    });
    const held: string[] = [];
    const send = (from: WebSocket, change: (message: Message) => Message | undefined) => (data: unknown) => {
      const changed = change(JSON.parse(String(data)));
      if (changed !== undefined) from.send(JSON.stringify(changed));
    };
    client.on("message", (data) => {
      if (to.readyState === to.OPEN) send(to, toNode)(data);
      else held.push(String(data));
    });
    to.on("open", () => {
      for (const data of held) send(to, toNode)(data);
    });
    to.on("message", send(client, toClient));
    to.on("close", (code) =>
      code === 1006 ? client.terminate() : client.close(code === 1005 ? 1000 : code),
    );
    to.on("error", () => client.terminate());
    client.on("close", () => to.terminate());
    client.on("error", () => {});
  });
  return `ws://127.0.0.1:${(http.address() as AddressInfo).port}/wire#${token}`;
}

const red = ({ results }: Awaited<ReturnType<typeof clusterSuite.run>>) =>
  results.filter(({ status }) => status !== "passed").map(({ id, failure }) => [id, failure?.received]);

describe("askwire conformance cluster", () => {
  test("doors of one server do not pass every check of a cluster, or are left with sessions of the checks", async () => {
    const server = newServer();
    const command = [await doorOf(server), await doorOf(server), await doorOf(server)];
    const report = await clusterSuite.run({ command, pace: 10 });
    expect(red(report)).toEqual([]);
    expect(report.results).toHaveLength(12);
    expect(server.sessions.size).toBe(0);
    expect(JSON.stringify(report)).not.toContain(token);
  });

  test("servers that know nothing of each other pass as a cluster", async () => {
    const command = [await doorOf(newServer()), await doorOf(newServer())];
    // N08 waits longer than a test should.
    const only = new Set(clusterSuite.checks.map(({ id }) => id).filter((id) => id !== "N08"));
    const report = await clusterSuite.run({ command, only, timeoutMs: 3_000, retries: 0 });
    expect(red(report).map(([id]) => id)).toEqual([...only]);
  });

  test("a node that is away is not named with the reason", async () => {
    const gone = createNetServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const { port } = gone.address() as AddressInfo;
    gone.close();
    const command = [await doorOf(newServer()), `ws://127.0.0.1:${port}/wire#${token}`];
    const { results } = await clusterSuite.run({ command, only: new Set(["N01"]), retries: 0 });
    const expected = expect.stringContaining(`127.0.0.1:${port}`);
    expect(results).toMatchObject([
      { failure: { expected, received: expect.stringContaining("ECONNREFUSED") } },
    ]);
  });

  test.each<[readonly string[], string]>([
    [[], "cluster: name the addresses of two nodes or more"],
    [[`ws://h:1#${token}`], "cluster: name the addresses of two nodes or more"],
    [["http://h:1", "ws://h:2"], "cluster http://h:1: expected an address such as ws://10.0.0.7:8080"],
    [["ws://h:1/page", "ws://h:2"], "cluster ws://h:1/page: expected an address such as"],
    [["ws://h:1", "ws://h:2"], "cluster ws://h:1: it has no token: add --token-file FILE"],
    [["ws://h:1#short", "ws://h:2"], "cluster ws://h:1: expected a token of 22 characters or more"],
    [["ws://h:1", "ws://h:2", "--", "node"], "cluster: name the addresses of nodes that run, and no command"],
    [["ws://h:1", "ws://h:2", "--token-file", "none"], "--token-file none: "],
  ])("%j is not refused with its reason and a next step", async (args, words) => {
    const run = conformance("askwire conformance", ["cluster", ...args], process, {
      templates: new URL(import.meta.url),
    });
    await expect(run).rejects.toThrow(words);
    await expect(run).rejects.not.toThrow(/#short/);
  });

  const isEvent = (message: Message, type: string) => message.params?.type === type;
  const forms: readonly [fault: string, check: string, Fault][] = [
    [
      "names questions by other ids",
      "N01",
      {
        toClient(message) {
          const { pending, ...session } = (message.result?.session ?? {}) as { pending?: string[] };
          if (pending === undefined) return message;
          const other = pending.map((id) => id.replace(/^./, (digit) => (digit === "0" ? "1" : "0")));
          return { ...message, result: { ...message.result, session: { ...session, pending: other } } };
        },
      },
    ],
    [
      "swallows who was told of an answer",
      "N02",
      { toClient: (message) => (isEvent(message, "InteractionSettled") ? undefined : message) },
    ],
    [
      "gives each answer an id of its own",
      "N03",
      {
        toNode: (message) =>
          message.method === "answer"
            ? { ...message, params: { ...message.params, answer_id: String(message.id) + Math.random() } }
            : message,
      },
    ],
    [
      "takes an answer that came too late",
      "N04",
      {
        toClient(message) {
          const { error, ...rest } = message as { error?: { code: number; data: object } };
          return error?.code === -32010 ? { ...rest, result: { ...error.data } } : message;
        },
      },
    ],
    [
      "asks a program's question under a key of its own",
      "N05",
      {
        toNode: (message) =>
          message.method === "ask" ? { ...message, params: { ...message.params, key: "another" } } : message,
      },
    ],
    [
      "begins anew with each client",
      "N06",
      {
        toClient(message) {
          const session = message.result?.session;
          if (session === undefined) return message;
          return {
            ...message,
            result: { ...message.result, session: { ...(session as object), reset: true } },
          };
        },
      },
    ],
    [
      "cuts what is long",
      "N07",
      { toClient: (message) => JSON.parse(JSON.stringify(message).replaceAll(/[^\x20-\x7e]{9000,}/g, "…")) },
    ],
    [
      "withdraws nothing",
      "N09",
      { toNode: (message) => (message.method === "$/cancelRequest" ? undefined : message) },
    ],
    ["lets everybody in", "N10", {}],
    [
      "makes another client of each connection",
      "N11",
      {
        toNode: (message) =>
          JSON.parse(JSON.stringify(message).replace(/"client_id":"[^"]*"/, '"client_id":null')),
      },
    ],
    [
      "says that it closes a session, and does not",
      "N12",
      {
        toNode: (message) =>
          message.method === "close_session" ? { ...message, method: "received" } : message,
      },
    ],
  ];

  test.each(forms)("a node that %s passes the check %s", async (_fault, id, fault) => {
    const server = newServer();
    const door = await doorOf(server);
    const faulty = await faultyAt(door, fault);
    const command = id === "N05" || id === "N09" ? [faulty, door] : [door, faulty, faulty];
    const report = await clusterSuite.run({ command, only: new Set([id]), timeoutMs: 3_000, retries: 0 });
    expect(red(report).map(([red]) => red)).toEqual([id]);
  });
});
