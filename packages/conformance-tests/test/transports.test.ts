import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectProcess } from "@askwire/client/stdio";
import { connectJsonRpc, LineMessageReader, LineMessageWriter } from "@askwire/client/vscode-jsonrpc";
import { createServer, defineTool, requireApproval } from "@askwire/server";
import { afterAll, afterEach } from "vitest";
import { createMessageConnection } from "vscode-jsonrpc/node";
import * as z from "zod/mini";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import { askUserQuestion } from "../../dialects/src/index.js";
import { transportSuite } from "./transport-suite.js";
import { ways } from "./ways.js";

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
        { id: "program", kind: "allow", scope: { kind: "program", value: command.replace(/ .*/, "") } },
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

for (const [name, way] of ways) {
  transportSuite(name, (scripts, options) => way(scriptedServer(scripts), options, {}));
}

transportSuite("stdio of the command", (scripts, options) =>
  connectProcess(process.execPath, [askwire, "serve", "--stdio", "--script", scriptFile(scripts)], options),
);

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
