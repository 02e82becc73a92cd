import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { folderWith, startServe } from "../../cli/test/askwire.js";
import { ask } from "./served-page.js";

const browser = testBrowser();
const TOKEN = "the-token-of-the-operator";
const desk = { viewport: { width: 1_000, height: 900 } };
const colour = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };

/** A reverse proxy that has let somebody in, and says who it is; with null it names nobody. */
async function loginProxy(person: { name: string | null }) {
  let target = 0;
  const named = ({ headers: { "x-forwarded-email": _, ...headers } }: IncomingMessage) =>
    person.name === null ? headers : { ...headers, "x-forwarded-email": person.name };
  const proxy = createServer((from, to) => {
    const { method, url: path } = from;
    const onward = request({ port: target, method, path, headers: named(from) }, (reply) => {
      to.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(to);
    });
    from.pipe(onward);
  });
  proxy.on("upgrade", (from, stream) => {
    const onward = connect(target, "127.0.0.1");
    const head = Object.entries(named(from)).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    onward.write(`GET ${from.url} HTTP/1.1\r\n${head.join("")}\r\n`);
    for (const side of [stream, onward]) side.on("error", () => {});
    stream.pipe(onward).pipe(stream);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    to(port: number) {
      target = port;
    },
  };
}

test("a page behind a proxy that did the login asks for a token, or its answer is not in the name of that person (P-WHO-5, P-WHO-6)", async () => {
  const person = { name: "ann@example.com" as string | null };
  const proxy = await loginProxy(person);
  const cwd = await folderWith({ token: TOKEN, "script.json": "[]" });
  const trust = [
    "--trust-header",
    "X-Forwarded-Email",
    "--trust-from",
    "127.0.0.1",
    "--trust-role",
    "answer",
  ];
  const args = ["--script", "script.json", "--token-file", "token", "--allow-origin", proxy.origin, ...trust];
  const serve = await startServe(args, { cwd, env: { ...process.env, ASKWIRE_HOME: join(cwd, "home") } });
  const wire = new URL(serve.address);
  proxy.to(Number(wire.port));
  const other = await connectWebSocket(serve.address, { token: TOKEN });
  onTestFinished(() => other.close());
  const asked = ask(other, [colour]);

  const { page, complaints } = await browser.newPage(desk);
  await page.goto(`${proxy.origin}/`);
  await page.getByRole("main").getByText("Which colour?").click();
  await page.getByLabel("Blue").check();
  await page.getByRole("button", { name: "Send answer", exact: true }).click();
  const { outcome } = await asked;
  expect(outcome).toMatchObject({
    status: "answered",
    principal: { id: "ann@example.com", name: "ann@example.com", via: "header" },
  });

  expect(complaints).toEqual([]);

  person.name = null;
  const { page: stranger } = await browser.newPage(desk);
  await stranger.goto(`${proxy.origin}/`);
  await stranger.getByRole("textbox").waitFor();
});
