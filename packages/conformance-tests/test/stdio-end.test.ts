import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = `
import { createServer, serveStdio } from "@askwire/server";
const server = createServer({ agent: { async run() {} } });
setImmediate(() => server.close());
await serveStdio(server);
`;

test("a server that closes ends its process, though its client keeps the input open (P-CLO-2)", async () => {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd });
  const status = await new Promise((resolve) => child.once("exit", resolve));
  expect(status).toBe(0);
});
