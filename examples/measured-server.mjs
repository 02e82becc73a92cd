// A server with metrics for Prometheus, over HTTP at a port of its own.
//   node measured-server.mjs, then ask and answer as in first-client.mjs, and curl the address that it prints
import { createServer as createHttpServer } from "node:http";
import { ask, createServer, serveStdio } from "@askwire/server";
import { serverMetrics } from "@askwire/server/metrics";

const agent = {
  /** @param {import("@askwire/server").Turn} turn */
  async run(turn) {
    const { answer } = await ask("Which database?", ["SQLite", "PostgreSQL"]);
    turn.say(answer === undefined ? "No database yet." : `I set up ${answer}.`);
  },
};

// #region measured-server
const metrics = serverMetrics();
const server = createServer({ agent, observe: [metrics] });

const monitor = createHttpServer(async ({ url }, response) => {
  if (url === "/metrics") {
    response.writeHead(200, { "Content-Type": metrics.contentType }).end(metrics.text());
  } else {
    const parts = await server.notReady();
    response.writeHead(parts.length === 0 ? 200 : 503).end(JSON.stringify(parts));
  }
});
monitor.listen(0, "127.0.0.1", () => console.error("metrics at", monitor.address()));
// #endregion measured-server

await serveStdio(server);
monitor.close();
