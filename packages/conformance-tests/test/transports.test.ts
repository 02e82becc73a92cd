import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "@askwire/client";
import { connectProcess } from "@askwire/client/stdio";
import { connectWebSocket } from "@askwire/client/websocket";
import { linkedPair } from "@askwire/protocol/testing";
import { askUserQuestion, createServer, modelAgent, scriptedModel } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import { afterAll, afterEach } from "vitest";
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

transportSuite("memory", async (scripts, options) => {
  const server = createServer({
    agent: () => modelAgent({ model: scriptedModel(scripts), tools: [askUserQuestion] }),
    log: quiet,
  });
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
  const server = createServer({
    agent: () => modelAgent({ model: scriptedModel(scripts), tools: [askUserQuestion] }),
    log: quiet,
  });
  const gateway = await listenWebSocket(server);
  gateways.push(gateway);
  return await connectWebSocket(gateway.address(server.createSession()), options);
});
