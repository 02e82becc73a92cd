// An agent of the wire, or with "acp" one of ACP, that begins as others do and does not end with its input. While it
// starts, another process takes the session: node late-agent.mjs PROTOCOL PID_FILE [LOCK_FILE LOCK].
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { textLines } from "@askwire/protocol/node";

const [protocol = "wire", pidFile = "", lockFile, lock = ""] = process.argv.slice(2);
writeFileSync(pidFile, String(process.pid));
if (lockFile !== undefined) {
  mkdirSync(dirname(lockFile), { recursive: true });
  writeFileSync(lockFile, lock);
}

const introductions = {
  wire: { protocol_version: "1.10", server: { name: "late", version: "1" }, slash_commands: [] },
  acp: { protocolVersion: 1, agentCapabilities: {} },
};
setInterval(() => {}, 60_000);
for await (const line of textLines(process.stdin)) {
  const { id, method } = JSON.parse(line);
  const result = method === "initialize" ? introductions[protocol] : {};
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}
