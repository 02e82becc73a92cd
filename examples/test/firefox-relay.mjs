#!/usr/bin/env node
// Starts the Firefox that ASKWIRE_FIREFOX names, and stands between it and playwright-core: it answers the commands of
// WebDriver BiDi that this Firefox does not know and without which no page would open.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { textLines } from "@askwire/protocol/node";
import { WebSocket, WebSocketServer } from "ws";

/** Commands without an effect on what is tested, where the browser does not know them. */
const optional = new Set(["emulation.setMediaFeaturesOverride"]);
const ready = /^(.*WebDriver BiDi listening on )(ws:\/\/.*)$/;

const browser = spawn(process.env.ASKWIRE_FIREFOX ?? "firefox", process.argv.slice(2), {
  stdio: ["ignore", "ignore", "pipe"],
});
for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"])) {
  process.on(signal, () => browser.kill(signal));
}
process.on("exit", () => browser.kill("SIGKILL"));
browser.on("exit", (code) => process.exit(code ?? 1));

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
await once(server, "listening");
const address = /** @type {import("node:net").AddressInfo} */ (server.address());

for await (const line of textLines(browser.stderr)) {
  const [, before, target] = ready.exec(line) ?? [];
  if (target === undefined) process.stderr.write(`${line}\n`);
  else {
    server.on("connection", (near) => relay(near, target));
    process.stderr.write(`${before}ws://127.0.0.1:${address.port}\n`);
  }
}

/**
 * Passes on all that both ends say. A command may be answered by the relay where the browser refused it as unknown.
 *
 * @param {WebSocket} near
 * @param {string} target
 */
async function relay(near, target) {
  const far = new WebSocket(`${target}/session`, { perMessageDeflate: false });
  const opened = once(far, "open");
  /** @type {Set<number>} */
  const mayFail = new Set();
  near.on("message", async (data) => {
    const text = String(data);
    const { id, method } = JSON.parse(text);
    if (optional.has(method)) mayFail.add(id);
    await opened;
    far.send(text);
  });
  far.on("message", (data) => {
    const text = String(data);
    const { id, error } = mayFail.size > 0 ? JSON.parse(text) : {};
    const isForgiven = mayFail.delete(id) && error === "unknown command";
    near.send(isForgiven ? JSON.stringify({ type: "success", id, result: {} }) : text);
  });
  near.on("close", () => far.close());
  far.on("close", () => near.close());
  far.on("error", () => near.close());
}
