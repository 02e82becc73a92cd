// A server that passes on the agent of its arguments.
import { wireAgent } from "@askwire/relays";
import { createServer, serveStdio } from "@askwire/server";

await serveStdio(createServer({ agent: wireAgent(process.argv.slice(2)) }));
