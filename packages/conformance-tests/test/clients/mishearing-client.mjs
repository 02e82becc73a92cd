// @ts-check
// A client that does one act in the place of another.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onLines } from "@askwire/protocol/node";

const [heard, done, ...args] = process.argv.slice(2);
const program = fileURLToPath(new URL("../../../../examples/conformance-client.mjs", import.meta.url));
const client = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "ignore", "inherit"] });
client.on("exit", () => process.exit());
onLines(process.stdin, (line) => {
  const act = JSON.parse(line);
  client.stdin.write(`${JSON.stringify({ ...act, do: act.do === heard ? done : act.do })}\n`);
});
