import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { startServe } from "../askwire.js";
import { serveRemote } from "./remote.js";

/** The introduction of a page of revision 2 that comes back to its session, as it sent it. */
const hello = (id: string) => ({
  protocol_version: "1.10",
  client: { name: "askwire-web", version: "0.1.0" },
  capabilities: {
    supports_question: true,
    supports_plan_mode: true,
    askwire: { revision: 2, client_id: "eca3ed2b-ec89-43c3-8013-e997eea8a27a", history: true },
  },
  session: { id, stream: "b0a5f7e4-6c1d-4d7e-9a51-2f3f0c1f8d11", after_seq: 7 },
});

/** The answer to the introduction of that page. */
function introduced(address: string): Promise<{ error?: { code: number; data?: unknown } }> {
  const { href, hash, pathname } = new URL(address);
  const headers = { authorization: `Bearer ${decodeURIComponent(hash.slice(1))}` };
  const socket = new WebSocket(href.replace(/#.*/, ""), ["askwire.v1"], { headers });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("close", (code) => reject(new Error(`closed with ${code}`)));
    socket.once("message", (data) => resolve(JSON.parse(String(data))));
    socket.once("open", () => {
      const params = hello(pathname.replace("/wire/", ""));
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: "1", method: "initialize", params }));
    });
  });
}

test("a page of before an update that comes back after a restart is refused its kept session once, and the page of today goes on with it", async () => {
  const one = await serveRemote();
  const first = await connectWebSocket(one.address, { handlers: { question: () => new Promise(() => {}) } });
  first.prompt("go").result.catch(() => {});
  await expect.poll(() => first.state).toBe("waiting");
  const ended = new Promise((resolve) => one.child.once("close", resolve));
  one.child.kill("SIGKILL");
  await ended;
  await first.close();

  const env = { ...process.env, ASKWIRE_HOME: one.share };
  const two = await startServe(["--script", "s.json"], { cwd: one.cwd, env });
  const old = one.address.replace(/^(wss?:\/\/)[^/]+/, `$1${new URL(two.address).host}`);
  const address = old.replace(/#.*/, new URL(two.address).hash);
  expect(await introduced(address)).toMatchObject({ error: { code: -32011, data: { kept: true } } });

  let asked: () => void = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const today = await connectWebSocket(address, {
    session: new URL(address).pathname.replace("/wire/", ""),
    openKept: true,
    handlers: {
      question() {
        asked();
        return { answers: { "Which colour?": "Red" } };
      },
    },
  });
  onTestFinished(() => today.close());
  await isAsked;
});
