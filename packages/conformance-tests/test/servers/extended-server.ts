// Our own server over its transports, but for the one thing that `--fault NAME` breaks. Tests bundle it. `--over reader`
// and `--over connection` put vscode-jsonrpc between the server and its standard streams.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import type { MessageChannel } from "@askwire/protocol";
import {
  type AskwireServer,
  createServer,
  defineTool,
  keepIn,
  requireApproval,
  serveStdio,
} from "@askwire/server";
import { LineMessageReader, LineMessageWriter, serveJsonRpc } from "@askwire/server/vscode-jsonrpc";
import { attachWebSocket } from "@askwire/server/websocket";
import {
  createMessageConnection,
  type Message,
  type MessageConnection,
  type MessageReader,
  type MessageWriter,
} from "vscode-jsonrpc/node";
import * as z from "zod/mini";
import { modelAgent, scriptedModel } from "../../../agent/src/index.js";
import { askUserQuestion } from "../../../dialects/src/index.js";
import { type Fault, faults, type WireMessage } from "./faults.js";

const flag = (name: string) =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;
const workDir = flag("--work-dir") ?? process.cwd();
const fault: Fault = faults[flag("--fault") as keyof typeof faults] ?? {};

/** The scripts are named as for `kimi --wire`, by a configuration, or by `--script`. */
function scriptsFile(): string {
  const named = flag("--script");
  if (named !== undefined) return named;
  const configuration = JSON.parse(readFileSync(flag("--config-file") as string, "utf8"));
  const [provider] = Object.values(configuration.providers) as [{ env: Record<string, string> }];
  return provider.env.KIMI_SCRIPTED_ECHO_SCRIPTS as string;
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

const writeTool = defineTool({
  name: "WriteFile",
  description: "Writes a file.",
  parameters: z.object({ path: z.string(), content: z.string() }),
  async run({ path, content }) {
    await requireApproval({ action: `edit ${path}`, description: `Write ${path}` });
    await writeFile(join(workDir, path), content);
    return "written";
  },
});

function makeServer(): AskwireServer {
  const model = scriptedModel(JSON.parse(readFileSync(scriptsFile(), "utf8")));
  const share = process.env.KIMI_SHARE_DIR;
  const maxSteps = flag("--max-steps-per-turn");
  return createServer({
    log: quiet,
    workDir,
    agent: ({ history }) =>
      modelAgent({ model, history, tools: [askUserQuestion, writeTool], maxAttemptsPerStep: 1 }),
    attendance: process.argv.includes("--listen") ? "hold" : "attended",
    ...fault.server,
    ...(maxSteps !== undefined && { maxStepsPerTurn: Number(maxSteps) }),
    ...(share !== undefined &&
      flag("--session") !== undefined && { keep: keepIn({ share, workDir, log: quiet }) }),
  });
}

/** A channel whose messages the fault changes on their way. */
function brokenChannel(channel: MessageChannel): MessageChannel {
  const { out = (message: WireMessage) => [message], into = (message: WireMessage) => message } =
    fault.make?.() ?? {};
  return {
    get stringIds() {
      return channel.stringIds ?? false;
    },
    send(text) {
      for (const message of out(JSON.parse(text))) channel.send(JSON.stringify(message));
    },
    listen(sink) {
      channel.listen({
        message(text) {
          let message: WireMessage;
          try {
            message = JSON.parse(text);
          } catch {
            return sink.message(text);
          }
          sink.message(JSON.stringify(into(message)));
        },
        oversized: (limit) => sink.oversized(limit),
        unreadable: (problem) => sink.unreadable?.(problem),
        closed: (cause) => sink.closed(cause),
      });
    },
    close: (code, reason) => channel.close(code, reason),
    drained: (bytes) => channel.drained(bytes),
  };
}

/** A connection of vscode-jsonrpc. The suite knows a request by its payload's id (P-ID-1), which it gets here. */
function libraryConnection(reader: MessageReader, writer: MessageWriter): MessageConnection {
  const numbers = new Map<unknown, unknown>();
  const named = (message: Message) => {
    const { method, id, params } = message as Message & WireMessage;
    if (method !== "request") return message;
    const name = (params as { payload: { id: string } }).payload.id;
    numbers.set(name, id);
    return { ...message, id: name };
  };
  const numbered = (message: Message) => {
    const { id, method } = message as Message & WireMessage;
    return method === undefined && numbers.has(id) ? { ...message, id: numbers.get(id) } : message;
  };
  const write = writer.write.bind(writer);
  const listen = reader.listen.bind(reader);
  writer.write = (message) => write(named(message));
  reader.listen = (callback) => listen((message) => callback(numbered(message)));
  return createMessageConnection(reader, writer);
}

const server = makeServer();
const broken: AskwireServer = {
  ...server,
  connect: (channel, options) => server.connect(brokenChannel(channel), options),
};

if (process.argv.includes("--listen")) {
  const http = createHttpServer();
  const { upgrade } = fault;
  if (upgrade !== undefined) http.on("upgrade", (request) => upgrade(request, gateway.token));
  const gateway = attachWebSocket(broken, http, fault.listen);
  http.listen(0, "127.0.0.1", () => {
    process.stdout.write(`${gateway.address(server.createSession({ stay: true }))}\n`);
  });
} else {
  const sessionId = flag("--session");
  const options = sessionId === undefined ? {} : { sessionId };
  const over = flag("--over");
  if (over === undefined) await serveStdio(broken, options);
  else {
    const reader = new LineMessageReader(process.stdin);
    const writer = new LineMessageWriter(process.stdout);
    const connection = over === "connection" ? libraryConnection(reader, writer) : { reader, writer };
    await serveJsonRpc(broken, connection, options).closed;
  }
}
