import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { freePort } from "../../../../scripts/free-port.js";
import { colour, folderWith, startServe } from "../askwire.js";
import { hasNginx, runNginx } from "./run-nginx.js";

const TOKEN = "the-token-of-the-operator";
const docs = readFileSync(new URL("../../../../docs/security.md", import.meta.url), "utf8");
const [, snippet = ""] = /^```nginx\n(.*?)^```$/ms.exec(docs) ?? [];
const [, trust = ""] =
  /--listen 127.0.0.1:8080 --public-url https:\/\/ask.example (--trust-.*)$/m.exec(docs) ?? [];

/** Listens at a free port until the test ends. */
async function listening(listener: RequestListener = () => {}): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The two addresses of oauth2-proxy that the snippet uses: whoever has a cookie is let in by the name in it. */
const login: RequestListener = async (request, response) => {
  const { headers, url } = request;
  const [, person] = /^login=(.*)$/.exec(headers.cookie ?? "") ?? [];
  // A service may read what is announced before it answers.
  for await (const _piece of request);
  if (url !== "/oauth2/auth") response.writeHead(200).end("sign in here");
  else if (person === undefined) response.writeHead(401).end();
  else response.writeHead(202, { "X-Auth-Request-Email": person }).end();
};

/** Runs nginx with the very snippet of the docs, but for the ports. */
async function nginx(port: number, ports: { readonly login: number; readonly serve: number }) {
  const locations = snippet
    .replaceAll("127.0.0.1:4180", `127.0.0.1:${ports.login}`)
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${ports.serve}`);
  await runNginx(port, `access_log off; server { listen 127.0.0.1:${port}; ${locations} }`);
}

/** `askwire serve` behind nginx, started as the docs say. */
async function behindNginx() {
  const [port, own] = [await freePort(), await freePort()];
  const cwd = await folderWith({ "script.json": "[]", token: TOKEN });
  const origin = `http://127.0.0.1:${port}`;
  const options = ["--script", "script.json", "--token-file", "token", "--session", "desk"];
  const args = [...options, "--public-url", origin, ...trust.split(" ")];
  const env = { ...process.env, ASKWIRE_HOME: join(cwd, "home") };
  await startServe(args, { cwd, env, port: String(own) });
  await nginx(port, { login: await listening(login), serve: own });
  const program = await connectWebSocket(`ws://127.0.0.1:${own}/wire/desk`, { token: TOKEN });
  onTestFinished(() => program.close());
  return { origin, program, path: `ws://127.0.0.1:${port}/wire/desk` };
}

/** A client of the wire through nginx, and the messages that it is sent. */
async function clientAt(path: string, headers: Record<string, string>) {
  const socket = new WebSocket(path, "askwire.v1", { headers });
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  const messages: { id?: unknown; result?: never; params?: { type: string; payload: { id: string } } }[] = [];
  const waiting: (() => void)[] = [];
  socket.on("message", (data) => {
    messages.push(JSON.parse(String(data)));
    for (const look of waiting) look();
  });
  type Fits = (message: (typeof messages)[number]) => boolean;
  return {
    send: (method: string, params: object) =>
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: method, method, params })),
    seen: (fits: Fits) =>
      new Promise<(typeof messages)[number]>((resolve) => {
        const look = () => {
          const found = messages.find(fits);
          if (found !== undefined) resolve(found);
        };
        waiting.push(look);
        look();
      }),
  };
}

const ann = { id: "ann@corp.example", name: "ann@corp.example", via: "header" };
const named = { cookie: "login=ann@corp.example", "x-forwarded-email": "eve@elsewhere.example" };

describe.skipIf(!hasNginx)(
  "nginx as docs/security.md sets it up (skipped where nginx is not installed)",
  () => {
    test("the person whom the proxy let in answers by that name, whatever header the client sent", async () => {
      const { origin, program, path } = await behindNginx();
      const who = await fetch(`${origin}/who`, { headers: named });
      expect(await who.json()).toEqual({ principal: ann, role: "answer" });
      const asked = program.ask({ key: "deploy", questions: [colour] });
      const client = await clientAt(path, named);
      client.send("initialize", {
        protocol_version: "1.10",
        client: { name: "Eve" },
        capabilities: { supports_question: true, askwire: { revision: 3 } },
      });
      const { result } = await client.seen(({ id }) => id === "initialize");
      expect(result).toMatchObject({ session: { principal: ann, role: "answer" } });
      const question = await client.seen(({ params }) => params?.type === "QuestionRequest");
      client.send("answer", {
        ...{ request_id: question.params?.payload.id, answer_id: "a1" },
        outcome: { status: "answered" },
        items: [{ question_id: "q1", selected: ["q1_o1"] }],
      });
      expect((await asked).outcome).toMatchObject({ status: "answered", principal: ann });
    });

    test("nobody comes in without the login, and a device that pairs gets an answer to its POST", async () => {
      const { origin, path } = await behindNginx();
      for (const url of [origin, `${origin}/who`]) {
        const headers = { "x-forwarded-email": "ann@corp.example" };
        const { status, headers: told } = await fetch(url, { headers, redirect: "manual" });
        expect([status, told.get("location")]).toEqual([302, expect.stringContaining("/oauth2/start?rd=/")]);
      }
      const socket = new WebSocket(path, "askwire.v1");
      const [refused] = await once(socket, "error");
      expect(String(refused)).toContain("302");
      expect(await (await fetch(`${origin}/oauth2/sign_in`)).text()).toBe("sign in here");
      const body = JSON.stringify({ code: "WRONG-CODES" });
      const headers = { ...named, "content-type": "application/json" };
      const paired = await fetch(`${origin}/pair`, { method: "POST", body, headers });
      expect(await paired.json()).toEqual({ error: expect.stringContaining("the code is wrong") });
    });
  },
);
