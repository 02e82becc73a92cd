import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "@askwire/client";
import { connectProcess } from "@askwire/client/stdio";
import { connectJsonRpc, LineMessageReader, LineMessageWriter } from "@askwire/client/vscode-jsonrpc";
import { connectWebSocket } from "@askwire/client/websocket";
import { linkedPair } from "@askwire/protocol/testing";
import {
  askUserQuestion,
  createServer,
  defineTool,
  modelAgent,
  requireApproval,
  scriptedModel,
} from "@askwire/server";
import { serveJsonRpc } from "@askwire/server/vscode-jsonrpc";
import { listenWebSocket } from "@askwire/server/websocket";
import { afterAll, afterEach } from "vitest";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import * as z from "zod/mini";
import { socketPair } from "./socket-pair.js";
import { transportSuite } from "./transport-suite.js";

const askwire = fileURLToPath(new URL("../../../apps/cli/bin/askwire.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "askwire-transports-"));
afterAll(() => rmSync(folder, { recursive: true }));

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

let files = 0;
function scriptFile(scripts: readonly string[]): string {
  files += 1;
  const file = join(folder, `${files}.json`);
  writeFileSync(file, JSON.stringify(scripts));
  return file;
}

/** A stand-in for the command's own tool of the name, which says what `echo` would. */
const shell = defineTool({
  name: "Shell",
  description: "echoes",
  parameters: z.object({ command: z.string() }),
  async run({ command }) {
    await requireApproval({
      action: "run command",
      description: `Run ${command}`,
      options: [
        { id: "approve", kind: "allow" },
        { id: "command", kind: "allow", scope: { kind: "command", value: command } },
      ],
    });
    return `${command.slice("echo ".length)}\n`;
  },
});

const scriptedServer = (scripts: readonly string[]) =>
  createServer({
    agent: () => modelAgent({ model: scriptedModel(scripts), tools: [askUserQuestion, shell] }),
    log: quiet,
  });

transportSuite("memory", async (scripts, options) => {
  const server = scriptedServer(scripts);
  const { left, right } = linkedPair();
  server.connect(left);
  return await connect(right, options);
});

transportSuite("stdio", (scripts, options) =>
  connectProcess(process.execPath, [askwire, "serve", "--stdio", "--script", scriptFile(scripts)], options),
);

const gateways: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
});

transportSuite("WebSocket", async (scripts, options) => {
  const server = scriptedServer(scripts);
  const gateway = await listenWebSocket(server);
  gateways.push(gateway);
  return await connectWebSocket(gateway.address(server.createSession()), options);
});

const streamed = (socket: Socket) => ({
  reader: new StreamMessageReader(socket),
  writer: new StreamMessageWriter(socket),
});

transportSuite("a reader and a writer of vscode-jsonrpc", async (scripts, options) => {
  const [left, right] = await socketPair();
  serveJsonRpc(scriptedServer(scripts), streamed(left));
  return await connectJsonRpc(streamed(right), options);
});

transportSuite("a connection of vscode-jsonrpc", async (scripts, options) => {
  const [left, right] = await socketPair();
  const connection = (socket: Socket) => {
    const { reader, writer } = streamed(socket);
    return createMessageConnection(reader, writer);
  };
  serveJsonRpc(scriptedServer(scripts), connection(left));
  return await connectJsonRpc(connection(right), options);
});

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

transportSuite("a connection of vscode-jsonrpc that reads and writes lines", (scripts, options) => {
  const command = [askwire, "serve", "--stdio", "--script", scriptFile(scripts)];
  const child = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "ignore"] });
  children.push(child);
  const reader = new LineMessageReader(child.stdout);
  return connectJsonRpc(createMessageConnection(reader, new LineMessageWriter(child.stdin)), options);
});
