// @ts-check
// A client without standard input, as one with a window: acts reach it from elsewhere, by a socket beside its agent.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../../../examples/conformance-client.mjs", import.meta.url));
const env = { ...process.env, ASKWIRE_CONFORMANCE_ACTS: "stdin" };
const client = spawn(process.execPath, [program], { env, stdio: ["pipe", "ignore", "inherit"] });

const window = createServer((socket) => socket.on("data", (act) => client.stdin.write(act)));
window.listen(join(dirname(process.env.ASKWIRE_CONFORMANCE_AGENT ?? ""), "window.socket"));
client.on("exit", () => window.close());
