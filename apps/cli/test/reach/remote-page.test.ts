import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { connectWebSocket } from "@askwire/client/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { originHere, originsOf, reachOf } from "../../src/reach/addresses.js";
import { askwire, colourScript, folderWith, startAskwire } from "../askwire.js";
import { ask, serveRemote } from "./remote.js";

const certificates = new URL("../../../../packages/server/test/websocket/", import.meta.url);
const [cert, key] = ["cert", "key"].map((name) =>
  fileURLToPath(new URL(`localhost-${name}.pem`, certificates)),
);
const tls = ["--tls-cert", cert as string, "--tls-key", key as string];
const OPEN = /Open in a browser:\n {2}(\S+)\n/;

describe("the page of askwire serve --listen", () => {
  test("serve --listen serves the page at an address whose fragment has the token and session that let a client in", async () => {
    const { address, untilPrinted } = await serveRemote();
    const url = new URL(await untilPrinted(OPEN));
    const fragment = new URLSearchParams(url.hash.slice(1));
    expect([url.protocol, url.host, url.pathname, url.search]).toEqual([
      "http:",
      new URL(address).host,
      "/",
      "",
    ]);
    expect(address).toBe(`ws://${url.host}/wire/${fragment.get("session")}#${fragment.get("token")}`);
    expect((await ask(url.href)).text).toBe(
      readFileSync(new URL("../../dist/web/index.html", import.meta.url), "utf8"),
    );
    const wire = address.replace(/#.*/, "");
    const session = await connectWebSocket(wire, { token: fragment.get("token") as string, handlers: {} });
    await session.close();
  });

  test("serve --listen serves the page for answer-only clients too, with their token (P-XRL-1)", async () => {
    const { untilPrinted, address } = await serveRemote(["--answer-address"]);
    const token = new URL(await untilPrinted(/For those who may only answer:\n {2}(ws:\S+)\n/)).hash.slice(1);
    const page = new URL(await untilPrinted(/For those who may only answer:\n.*\n.*\n {2}(http:\S+)\n/));
    expect([page.host, new URLSearchParams(page.hash.slice(1)).get("token")]).toEqual([
      new URL(address).host,
      token,
    ]);
  });

  test("serve --no-web serves no page", async () => {
    const { address, child, ended } = await serveRemote(["--no-web"]);
    expect(await ask(new URL("/", address.replace("ws", "http")).href)).toEqual({
      status: 404,
      text: "Not found. The wire is at /wire.\n",
    });
    child.kill("SIGTERM");
    expect((await ended).stdout).not.toContain("browser");
  });
});

test("--page-server lets the page reach these servers, and names them to the page", async () => {
  const named = ["--page-server", "https://a.example", "--page-server", "http://127.0.0.1:8081"];
  const { address, stop } = await serveRemote(named);
  const servers = await ask(new URL("/servers.json", address.replace("ws", "http")).href);
  expect(JSON.parse(servers.text)).toEqual(["https://a.example", "http://127.0.0.1:8081"]);
  expect(await stop()).toBe("");
});

describe("an attack on a running server", () => {
  const json = { "content-type": "application/json" };
  const secret = "the-token-of-all-servers";

  test.each<[string, number, string, Parameters<typeof ask>[1]]>([
    ["a name that was made to point here", 403, "/", { headers: { host: "evil.example" } }],
    [
      "a foreign page that loads the scripts",
      403,
      "/start.js",
      { headers: { origin: "https://evil.example" } },
    ],
    ["the way out of the folder", 404, "/../askwire.cjs", {}],
    ["that way with escapes", 404, "/%2e%2e%2faskwire.cjs", {}],
    ["a file of the system", 404, "//etc/passwd", {}],
    ["words for the page", 405, "/", { method: "POST", body: "x".repeat(100_000) }],
    ["a token in the query", 404, `/wire?token=${secret}`, {}],
    [
      "a code that is guessed",
      403,
      "/pair",
      { method: "POST", headers: json, body: '{"code":"AAAAA-AAAAA"}' },
    ],
    [
      "a form of a foreign page",
      403,
      "/pair",
      { method: "POST", headers: { origin: "https://evil.example" } },
    ],
    ["a form", 415, "/pair", { method: "POST", body: "code=AAAAA-AAAAA" }],
    ["a body that is too long", 413, "/pair", { method: "POST", headers: json, body: "x".repeat(1_025) }],
    ["a body that is no code", 400, "/pair", { method: "POST", headers: json, body: "[]" }],
    ["a code in the address", 405, "/pair?code=AAAAA-AAAAA", {}],
  ])("a running server refuses %s with %i and keeps running", async (_, status, path, sent) => {
    const { address, stop } = await serveRemote(["--token-file", "token"]);
    const refused = await ask(address.replace("ws", "http"), { ...sent, path });
    expect(refused.status).toBe(status);
    expect(refused.text).not.toContain(secret);
    const session = await connectWebSocket(address.replace(/#.*/, ""), { token: secret, handlers: {} });
    await session.close();
    expect(await stop()).toBe("");
  });
});

describe("the name of the server by --public-url", () => {
  test("--public-url names the server in addresses, and its host and origin are let in", async () => {
    const { address, untilPrinted } = await serveRemote(["--public-url", "https://ask.example"]);
    const page = new URL(await untilPrinted(OPEN));
    expect(address).toMatch(/^wss:\/\/ask\.example\/wire\/\S+$/);
    expect(page.origin).toBe("https://ask.example");
    const here = `http://${await untilPrinted(/^Listening at (\S+)$/m)}`;
    const headers = { host: "ask.example", origin: "https://ask.example" };
    expect((await ask(here, { headers })).status).toBe(200);
    const foreign = { host: "ask.example", origin: "https://other.example" };
    expect((await ask(here, { headers: foreign })).status).toBe(403);
  });
});

describe("behind a proxy that has TLS", () => {
  /** A proxy as docs/remote.md has it: Host and Origin as the browser sent them, and upgrades passed on. */
  async function proxied() {
    const browser = { host: "ask.example", origin: "https://ask.example" };
    const served = await serveRemote(["--public-url", browser.origin, "--token-file", "token"]);
    const port = (await served.untilPrinted(/^Listening at (\S+)$/m)).replace(/.*:/, "");
    const proxy = createServer((from, to) => {
      const on = request({
        port,
        path: from.url,
        method: from.method,
        headers: { ...from.headers, ...browser },
      });
      on.once("response", (response) => {
        to.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(to);
      });
      from.pipe(on);
    });
    proxy.on("upgrade", (from, socket) => {
      const headers = { ...from.headers, ...browser };
      const on = request({ port, path: from.url, headers }).end();
      on.once("upgrade", (response, upstream) => {
        const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`);
        socket
          .on("error", () => upstream.destroy())
          .pipe(upstream)
          .on("error", () => socket.destroy())
          .pipe(socket);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close().closeAllConnections());
    return `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  }

  test("the page and the wire behind a proxy with TLS are reached by its name", async () => {
    const host = await proxied();
    expect((await ask(`http://${host}/`)).status).toBe(200);
    const token = "the-token-of-all-servers";
    const session = await connectWebSocket(`ws://${host}/wire`, { token, handlers: {} });
    expect(await session.listSessions()).toHaveLength(2);
    await session.close();
  });
});

describe("--tls-cert and --tls-key", () => {
  test("--tls-cert and --tls-key turn the addresses into https and wss", async () => {
    const { address, untilPrinted, stop } = await serveRemote(tls);
    const page = await untilPrinted(OPEN);
    expect([new URL(page).protocol, new URL(address).protocol]).toEqual(["https:", "wss:"]);
    expect((await ask(page)).status).toBe(200);
    expect(await stop()).toBe("");
  });

  test.each([
    [tls.slice(0, 2), "--tls-cert: add --tls-key with the key of that certificate"],
    [tls.slice(2), "--tls-key: add --tls-cert with the certificate of that key"],
    [["--tls-cert", "none", "--tls-key", key as string], "--tls-cert none: no such file; check the path"],
    [
      ["--tls-cert", cert as string, "--tls-key", cert as string],
      `--tls-cert ${cert}, --tls-key ${cert}: expected a certificate and its key in PEM: `,
    ],
  ])("--tls-cert and --tls-key of %j are refused in one line", async (args, text) => {
    const { stderr, status } = await askwire(["serve", "--listen", "127.0.0.1:0", ...args]);
    expect([status, stderr.trimEnd().split("\n").length]).toEqual([2, 1]);
    expect(stderr).toContain(`askwire: ${text}`);
  });
});

describe("a server that others reach", () => {
  const warning =
    "askwire: others can reach this server, and nothing is encrypted: add --tls-cert and --tls-key, or put it behind TLS\n";

  test("a server that others reach names the machine's addresses, which are let in, and warns where nothing is encrypted", async () => {
    const cwd = await folderWith({ "s.json": colourScript });
    const line = ["serve", "--listen", "0.0.0.0:0", "--allow-remote", "--script", "s.json"];
    const { child, ended } = startAskwire(line, { cwd });
    const stdout: string[] = await new Promise((resolve) => {
      let text = "";
      child.stdout.on("data", (piece: string) => {
        text += piece;
        if (/browser:\n.*\n$/s.test(text)) resolve(text.split("\n"));
      });
    });
    const pages = stdout
      .slice(stdout.indexOf("Open in a browser:") + 1, -1)
      .map((page) => new URL(page.trim()));
    expect(pages.map(({ hostname }) => hostname)).toEqual(reachOf("0.0.0.0", undefined).hosts);
    expect(new URL(stdout[0] as string).host).toBe(pages[0]?.host);
    for (const page of pages) expect((await ask(page.href)).status).toBe(200);
    child.kill("SIGTERM");
    expect((await ended).stderr).toBe(warning);
  });

  test.each([
    [["--listen", "0.0.0.0:0", "--allow-remote", "--public-url", "https://ask.example"], warning],
    [["--listen", "0.0.0.0:0", "--allow-remote", ...tls], ""],
    [["--public-url", "http://ask.example"], warning],
    [["--public-url", "https://ask.example"], ""],
    [["--public-url", "http://localhost:80"], ""],
  ])(
    "a server started with %j warns where others could read along, even beside a proxy",
    async (args, told) => {
      const { stop } = await serveRemote(args);
      expect(await stop()).toBe(told);
    },
  );

  const address = (family: "IPv4" | "IPv6", address: string, internal = false) =>
    ({ family, address, internal, netmask: "", mac: "", cidr: null, scopeid: 0 }) as never;
  const interfaces = {
    lo: [address("IPv4", "127.0.0.1", true), address("IPv6", "::1", true)],
    eth: [address("IPv6", "2001:db8::7"), address("IPv4", "192.0.2.7"), address("IPv6", "fe80::7")],
  };

  test.each([
    ["0.0.0.0", ["http://192.0.2.7:80"], "http://127.0.0.1:80"],
    ["::", ["http://192.0.2.7:80", "http://[2001:db8::7]:80"], "http://[::1]:80"],
    ["2001:db8::7", ["http://[2001:db8::7]:80"], "http://[2001:db8::7]:80"],
    ["192.0.2.7", ["http://192.0.2.7:80"], "http://192.0.2.7:80"],
  ])("a server at %s is named by %j, and to its own browser by %s", (host, origins, here) => {
    const reach = reachOf(host, undefined, interfaces);
    const bound = { host, port: 80, secure: false };
    expect([originsOf(reach, bound), originHere(reach, bound)]).toEqual([origins, here]);
  });

  test("a server on a machine without a network names itself", () => {
    expect(reachOf("0.0.0.0", undefined, {}).hosts).toEqual(["127.0.0.1"]);
  });
});

test.each<[string[], string]>([
  [["--stdio", "--open"], "serve: --open needs --listen HOST:PORT"],
  [["--stdio", "--tls-cert", "x"], "serve: --tls-cert needs --listen HOST:PORT"],
  [["--listen", "127.0.0.1:0", "--open", "--no-web"], "--open needs the page: leave --no-web out"],
  [["--listen", "127.0.0.1:0", "--qr", "--no-web"], "--qr needs the page: leave --no-web out"],
  [
    ["--listen", "127.0.0.1:0", "--no-web", "--page-server", "https://desk.example"],
    "--page-server needs the page: leave --no-web out",
  ],
  [["--stdio", "--page-server", "https://desk.example"], "serve: --page-server needs --listen HOST:PORT"],
  [
    ["--listen", "127.0.0.1:0", "--page-server", "https://desk.example", "http://desk.example"],
    "--page-server http://desk.example: others could read the token on the way: expected https, or http to 127.0.0.1",
  ],
  [
    ["--listen", "127.0.0.1:0", "--allow-origin", "*"],
    "--allow-origin *: expected one origin, such as https://app.example or http://host:8080; by this any page could connect",
  ],
  [["--listen", "127.0.0.1:0", "--qr", "both"], "Allowed choices are answer."],
  ...[
    "ask.example",
    "ftp://ask.example",
    "https://ask.example/path",
    "https://a:b@ask.example",
    "https://ask.example/?a",
  ].map(
    (url) =>
      [
        ["--listen", "127.0.0.1:0", "--public-url", url],
        `--public-url ${url}: expected an address without a path, such as https://ask.example`,
      ] satisfies [string[], string],
  ),
])("serve %j is a usage error", async (args, text) => {
  const { stderr, status } = await askwire(["serve", ...args]);
  expect(stderr).toContain(text);
  expect(status).toBe(2);
});
