import { createConnection, type Socket } from "node:net";
import type { MessageChannel } from "@askwire/protocol";
import { expect, onTestFinished } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import type { AskwireServer, ServerOptions, Session } from "../../src/index.js";
import { type Gateway, type ListenOptions, listenWebSocket } from "../../src/websocket.js";
import { type RawClient, rawClient } from "../raw-client.js";
import { asks, scenario, toolResult } from "../scenario.js";

/** The options of a test's client when it connects. */
export interface OpenOptions extends ClientOptions {
  /** null sends none. Default: the gateway's. */
  readonly token?: string | null;
  readonly protocols?: string[];
}

/** A client over a real socket, which has said nothing yet. */
export interface SocketClient extends RawClient {
  readonly socket: WebSocket;
  /** The code and reason with which it was closed. */
  readonly ended: Promise<string>;
}

const introduction = { protocol_version: "1.10", client: { name: "raw" } };

/** A server of a scripted agent behind a gateway of its own. */
export async function listening(
  scripts: readonly string[],
  { listen = {}, ...options }: Parameters<typeof scenario>[1] & { listen?: ListenOptions } = {},
) {
  const set = scenario(scripts, options);
  const gateway = await listenWebSocket(set.server, listen);
  onTestFinished(() => gateway.close());
  return { ...set, ...clientsOf(set.server, gateway, await set.server.openSession()) };
}

/** Opens clients of a gateway. `session` is one of its addresses; by default a new one. */
export function clientsOf(server: AskwireServer, gateway: Gateway, session = server.createSession()) {
  const address = new URL(gateway.address(session));
  const url = (path: string) => new URL(path, address).href.replace(/#.*/, "");
  const port = Number(address.port);

  function webSocket(
    path: string,
    { token = gateway.token, protocols, ...rest }: OpenOptions = {},
  ): WebSocket {
    const headers = { ...rest.headers, ...(token !== null && { authorization: `Bearer ${token}` }) };
    const socket = new WebSocket(url(path), protocols ?? ["askwire.v1"], { ...rest, headers });
    socket.on("error", () => {});
    onTestFinished(() => socket.terminate());
    return socket;
  }

  async function open(path = "/wire", options?: OpenOptions): Promise<SocketClient> {
    const socket = webSocket(path, options);
    const ended = new Promise<string>((resolve) =>
      socket.once("close", (code, reason) => resolve(`${code} ${reason}`.trim())),
    );
    // The client listens from the start: a refusal may come with the greeting.
    const client = rawClient(channelOf(socket));
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return Object.assign(client, { socket, ended });
  }

  return {
    gateway,
    port,
    url,
    open,
    /** A client that has introduced itself as one that can show questions. */
    async join(session?: Session, options?: OpenOptions): Promise<SocketClient> {
      const client = await open(session === undefined ? "/wire" : `/wire/${session.id}`, options);
      await client.call("initialize", { ...introduction, capabilities: { supports_question: true } });
      client.story();
      return client;
    },
    /** Resolves with the status of a refused upgrade and its reason. */
    refused(path: string, options?: OpenOptions): Promise<string> {
      const socket = webSocket(path, options);
      return new Promise((resolve, reject) => {
        socket.once("open", () => reject(new Error("it was let in")));
        socket.once("unexpected-response", (_request, response) => {
          let body = "";
          response.on("data", (chunk) => (body += chunk));
          response.on("end", () => resolve(`${response.statusCode} ${body.trim()}`));
        });
      });
    },
    /** A connection that writes its own bytes, after an upgrade if there is a path. */
    async bytes(path?: string, headers = `Authorization: Bearer ${gateway.token}\r\n`): Promise<Socket> {
      const socket = createConnection(port, "127.0.0.1");
      socket.on("error", () => {});
      onTestFinished(() => void socket.destroy());
      await new Promise<void>((resolve) => socket.once("connect", resolve));
      if (path === undefined) return socket;
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${headers}\r\n`,
      );
      await new Promise((resolve) => socket.once("data", resolve));
      return socket;
    },
  };
}

function channelOf(socket: WebSocket): MessageChannel {
  return {
    send: (text) => socket.send(text),
    listen(sink) {
      socket.on("message", (data) => sink.message(String(data)));
      socket.on("close", () => sink.closed());
    },
    close: (code) => socket.close(code),
    drained: () => Promise.resolve(),
  };
}

export const red = (id: unknown) => ({ request_id: id, answers: { "Which colour?": "Red" } });

/**
 * A session with two clients, one of which has prompted and has an open question. `unharmed` checks that later events
 * left them alone. The question can be answered, the turn ends, and a new client is let in.
 */
export async function openQuestion(options: Partial<ServerOptions> & { listen?: ListenOptions } = {}) {
  const set = await listening([asks(), "text: b"], options);
  const session = set.server.createSession();
  const one = await set.join(session);
  const two = await set.join(session);
  const { prompt, asked } = await one.begin("QuestionRequest");
  await two.seen("QuestionRequest");
  return {
    ...set,
    session,
    one,
    two,
    prompt,
    asked,
    async unharmed(): Promise<void> {
      expect([session.running, session.pending.length]).toEqual([true, 1]);
      one.reply(asked, red(asked.id));
      expect(await toolResult(two)).toMatchObject({ output: '{"answers": {"Which colour?": "Red"}}' });
      expect((await prompt).result).toEqual({ status: "finished" });
    },
  };
}
