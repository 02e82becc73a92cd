// Serves the page, and an agent for it to talk to: node examples/browser/serve.mjs
import { readFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "@askwire/server";
import { attachWebSocket } from "@askwire/server/websocket";
import { buildPage } from "./build.mjs";

const types = { "/index.html": "text/html", "/page.js": "text/javascript", "/page.css": "text/css" };
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src ws://127.0.0.1:*";

/** A server for the three files of the page, with a policy that forbids everything that it does not need. */
export function createPageServer(/** @type {string} */ folder) {
  return createHttpServer(async ({ url }, response) => {
    const path = url === "/" ? "/index.html" : (url ?? "");
    const type = Object.entries(types).find(([name]) => name === path)?.[1];
    if (type === undefined) return response.writeHead(404).end();
    const headers = { "content-type": `${type}; charset=utf-8`, "content-security-policy": policy };
    response.writeHead(200, headers).end(await readFile(join(folder, path)));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const agent = {
    async run(/** @type {import("@askwire/server").Turn} */ turn) {
      const { answer } = await turn.ask("Which database?", ["SQLite", "PostgreSQL"]);
      turn.say(answer === undefined ? "I leave the database out." : `I set up ${answer}.`);
    },
  };
  const server = createServer({ agent });
  const http = createPageServer(await buildPage());
  const gateway = attachWebSocket(server, http);
  http.listen(0, "127.0.0.1", () => {
    const wire = gateway.address(server.createSession({ stay: true }));
    process.stdout.write(`${wire.replace(/^ws:(.*)\/wire.*$/, "http:$1/")}#${wire}\n`);
  });
}
