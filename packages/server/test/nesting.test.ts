import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";

const program = `
import { createServer, serveStdio } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const server = createServer({ agent: { run() {} }, log: quiet });
if (process.argv[1] === "stdio") await serveStdio(server);
else {
  const gateway = await listenWebSocket(server);
  console.log(gateway.address(server.createSession()));
}
`;

/** A server whose heap holds a message of 32 MiB, but not V8's 1.3 GB of parsed values. */
function startServer(transport: "stdio" | "socket"): ChildProcess {
  const node = ["--max-old-space-size=256", "--input-type=module", "-e", program, transport];
  const child = spawn(process.execPath, node, {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

const deep = "[".repeat(16 * 1024 * 1024) + "]".repeat(16 * 1024 * 1024);
/** 30 MiB that would take more memory than the whole heap. */
const many = `[${"{},".repeat(10 * 1024 * 1024)}0]`;
const next = '{"jsonrpc":"2.0","id":"next","method":"nope"}';
const frame = (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`;

const refusals = {
  "32 MiB of arrays in each other": [deep, "Invalid request: nested deeper than 64 at character 65"],
  "30 MiB of empty objects": [many, "Invalid request: more than 262144 values at character 393217"],
} as const;

describe.each(Object.entries(refusals))("a message with %s (P-LIM-3)", (_name, [large, message]) => {
  const answers = [
    { id: null, error: { code: -32600, message } },
    { id: "next", error: { code: -32601 } },
  ];

  test.each([
    ["lines", (body: string) => `${body}\n`],
    ["Content-Length framing", frame],
  ])(
    "a message nested too deep is refused unparsed, and the next is answered, with %s",
    async (_, framed) => {
      const child = startServer("stdio");
      const output = text(child.stdout as NodeJS.ReadableStream);
      child.stdin?.end(framed(large) + framed(next));
      expect(await once(child, "exit")).toEqual([0, null]);
      const replies = (await output).split(/\n|Content-Length: \d+\r\n\r\n/).filter((line) => line !== "");
      expect(replies.map((line) => JSON.parse(line))).toMatchObject(answers);
    },
  );

  test("a message nested too deep is refused unparsed, and the next is answered, over WebSocket", async () => {
    const child = startServer("socket");
    const [address] = await once(child.stdout as NodeJS.ReadableStream, "data");
    const url = new URL(String(address).trim());
    const headers = { authorization: `Bearer ${url.hash.slice(1)}` };
    url.hash = "";
    const socket = new WebSocket(url, ["askwire.v1"], { headers });
    const replies: unknown[] = [];
    const both = new Promise<void>((resolve, reject) => {
      socket.on("message", (data) => {
        const reply = JSON.parse(String(data));
        if ("id" in reply && replies.push(reply) === 2) resolve();
      });
      socket.on("close", reject).on("error", reject);
    });
    await once(socket, "open");
    socket.send(large);
    socket.send(next);
    await both;
    expect(replies).toMatchObject(answers);
    socket.terminate();
  });
});
