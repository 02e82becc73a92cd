// Libraries of npm that know nothing of us, unchanged, each as a client of an agent over the streams of its process.
import type { Readable, Writable } from "node:stream";
import { onLines } from "@askwire/protocol/node";
import jayson from "jayson";
import { JSONRPCClient, JSONRPCServer, JSONRPCServerAndClient } from "json-rpc-2.0";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

/** The streams of an agent's process. */
export interface AgentStreams {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/** An event, or a request to the person. */
export interface Told {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The handlers that a test hands to a library. A handler may throw. */
export interface Handlers {
  event(told: Told): void;
  request(asked: Told): unknown;
}

/** Calls a method of the agent. Rejects with an error of its code. */
export type Call = (method: string, params?: object) => Promise<unknown>;

/** Makes a client of a library over the streams. */
export type ForeignLibrary = (streams: AgentStreams, handlers: Handlers) => Call;

const linesOf = (input: Readable, read: (message: object) => void) =>
  onLines(input, (line) => read(JSON.parse(line)));
const writeLine = (output: Writable, message: unknown) => void output.write(`${JSON.stringify(message)}\n`);

/** Numbers its requests 1, 2, 3, and answers 0 as code where a handler throws. */
const jsonRpc2: ForeignLibrary = ({ stdin, stdout }, handlers) => {
  const both = new JSONRPCServerAndClient(
    new JSONRPCServer({ errorListener: () => {} }),
    new JSONRPCClient((message) => writeLine(stdin, message)),
  );
  both.addMethod("event", (told: Told) => handlers.event(told));
  both.addMethod("request", (asked: Told) => handlers.request(asked));
  linesOf(stdout, (message) => void both.receiveAndSend(message, undefined, undefined));
  return async (method, params = {}) => both.request(method, params, undefined);
};

/** Has a client and a server apart, and answers a thrown error with -32603. */
const jaysonLines: ForeignLibrary = ({ stdin, stdout }, handlers) => {
  const server = new jayson.Server({
    event(told: unknown, done: (error: null) => void) {
      handlers.event(told as Told);
      done(null);
    },
    async request(asked: unknown, done: (error: unknown, result?: unknown) => void) {
      try {
        done(null, await handlers.request(asked as Told));
      } catch (error) {
        done(error);
      }
    },
  });
  const waiting = new Map<unknown, (error: null, response: string) => void>();
  const client = jayson.Client.browser((request, done) => {
    waiting.set(JSON.parse(request).id, done);
    stdin.write(`${request}\n`);
  });
  linesOf(stdout, (message) => {
    if (!("method" in message))
      waiting.get((message as { id?: unknown }).id)?.(null, JSON.stringify(message));
    else
      server.call(message as jayson.JSONRPCRequest, (error, result) => {
        if (error ?? result) writeLine(stdin, error ?? result);
      });
  });
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      client.request(method, params, (failed?: unknown, error?: unknown, result?: unknown) => {
        if (failed ?? error) reject(failed ?? error);
        else resolve(result);
      });
    });
};

/** Numbers its requests 0, 1, 2, under headers of `Content-Length`. */
const vscodeJsonRpc: ForeignLibrary = ({ stdin, stdout }, handlers) => {
  const connection = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
  connection.onNotification("event", (told: Told) => handlers.event(told));
  connection.onRequest("request", (asked: Told) => handlers.request(asked));
  connection.listen();
  return (method, params = {}) => connection.sendRequest(method, params);
};

/** The libraries, by their names at npm. */
export const foreignLibraries = {
  "json-rpc-2.0": jsonRpc2,
  jayson: jaysonLines,
  "vscode-jsonrpc": vscodeJsonRpc,
} as const;
