import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, get } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createConnection, type Server } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { attachWebSocket, listenWebSocket } from "../../src/websocket.js";
import { drivenClock } from "../driven-clock.js";
import { scenario } from "../scenario.js";
import { clientsOf, listening, openQuestion } from "./gateway.js";

const initialize = { jsonrpc: "2.0", id: "1", method: "initialize", params: { protocol_version: "1.10" } };
const pem = (name: string) => readFileSync(new URL(`./localhost-${name}.pem`, import.meta.url));
const carried = (token: string) => `askwire.token.${Buffer.from(token).toString("base64url")}`;

describe("a connection without the token (P-SEC-1 to P-SEC-3)", () => {
  test.each<[string, string, object]>([
    ["none", "/wire", { token: null }],
    ["a wrong one", "/wire", { token: "wrong" }],
    ["a wrong one as a subprotocol", "/wire", { token: null, protocols: ["askwire.v1", carried("wrong")] }],
    ["an empty one as a subprotocol", "/wire", { token: null, protocols: ["askwire.v1", "askwire.token."] }],
    ["a basic login", "/wire", { token: null, headers: { authorization: "Basic eDp5" } }],
    ["a cookie", "/wire", { token: null, headers: { cookie: "token=x" } }],
    ["none, to a session that is not there", "/wire/nothing", { token: null }],
  ])(
    "a connection with %s as token is closed with 4401, and what was sent meanwhile is not read",
    async (_, path, options) => {
      const { open, unharmed, server } = await openQuestion();
      const sessions = server.sessions.size;
      const stranger = await open(path, options);
      stranger.send(initialize);
      expect(await stranger.ended).toBe("4401 the token is missing or wrong");
      expect([stranger.received, server.sessions.size]).toEqual([[], sessions]);
      await unharmed();
    },
  );

  test("the right token in the query does not count", async () => {
    const { open, gateway, unharmed } = await openQuestion();
    const stranger = await open(`/wire?token=${gateway.token}`, { token: null });
    expect(await stranger.ended).toBe("4401 the token is missing or wrong");
    await unharmed();
  });

  test("the right token as a subprotocol counts, as browsers send it, and is not said back", async () => {
    const token = "only-22_Base64url-char";
    const { open } = await listening([], { listen: { token } });
    const client = await open("/wire", { token: null, protocols: ["askwire.v1", carried(token)] });
    expect((await client.call("initialize", { protocol_version: "1.10" })).error).toBeUndefined();
    expect(client.socket.protocol).toBe("askwire.v1");
  });

  test.each(["", "21-characters-are-few", "a+token/of+standard/base64==", "two words are no single token"])(
    "a server refuses the token %j, which could be guessed or is no base64url (P-SEC-1)",
    async (token) => {
      const why = "token: expected at least 22 characters of base64url (letters, digits, - and _)";
      await expect(listenWebSocket(scenario([]).server, { token })).rejects.toThrow(new TypeError(why));
    },
  );

  test("after ten wrong tokens within a minute others are refused for the rest of it; the right one never is", async () => {
    const clock = drivenClock();
    const { open, refused, join, one, unharmed } = await openQuestion({
      listen: { clock, heartbeatMs: 1e9 },
    });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await (await open("/wire", { token: `guess ${attempt}`.replace(" ", "") })).ended).toMatch(
        /^4401/,
      );
    }
    expect(await refused("/wire", { token: "guess11" })).toBe("429 too many wrong tokens: wait a minute");
    expect(await refused("/wire", { token: null })).toMatch(/^429/);
    expect((await join()).isClosed).toBe(false);
    clock.advance(59_999);
    expect(await refused("/wire", { token: "guess12" })).toMatch(/^429/);
    clock.advance(1);
    expect(await (await open("/wire", { token: "guess13" })).ended).toMatch(/^4401/);
    expect(one.isClosed).toBe(false);
    await unharmed();
  });

  test("a refused connection may send broken frames, and the server continues", async () => {
    const { bytes, join, unharmed } = await openQuestion();
    const stranger = await bytes("/wire", "");
    stranger.write(Buffer.alloc(1_000, 0xff));
    await new Promise((resolve) => stranger.once("close", resolve));
    await join();
    await unharmed();
  });
});

describe("an address that other machines reach (P-SEC-7)", () => {
  test.each(["0.0.0.0", "::", "192.0.2.1", "askwire.example"])(
    "listening at %s is refused, which other machines reach",
    async (host) => {
      const why = `host: others reach ${host}: expected 127.0.0.1, or allowRemote: true`;
      await expect(listenWebSocket(scenario([]).server, { host })).rejects.toThrow(new TypeError(why));
    },
  );

  test("an address that other machines reach is listened at where that is allowed", async () => {
    const { join } = await listening([], { listen: { host: "0.0.0.0", allowRemote: true } });
    expect((await join()).isClosed).toBe(false);
  });
});

describe("a foreign page (P-SEC-4, P-SEC-5)", () => {
  test.each<[string, (port: number) => Record<string, string>, string]>([
    [
      "a foreign origin",
      () => ({ origin: "https://evil.example" }),
      "403 origin https://evil.example is foreign",
    ],
    ["the origin null", () => ({ origin: "null" }), "403 origin null is foreign"],
    [
      "another port of this host",
      () => ({ origin: "http://127.0.0.1:1" }),
      "403 origin http://127.0.0.1:1 is foreign",
    ],
    [
      "a site whose name begins like this host",
      (port) => ({ origin: `http://127.0.0.1:${port}.evil.example` }),
      "403 origin http://127.0.0.1:",
    ],
    [
      "a site whose name begins like one that was allowed",
      () => ({ origin: "https://app.example.evil.example" }),
      "403 origin https://app.example.evil.example is foreign",
    ],
    [
      "a name that was made to point here",
      (port) => ({ host: `evil.example:${port}` }),
      "403 host evil.example:",
    ],
    [
      "that name with its own origin",
      (port) => ({ host: `evil.example:${port}`, origin: `http://evil.example:${port}` }),
      "403 host evil.example:",
    ],
  ])("a page with %s is refused before the upgrade, with the token too", async (_, headers, answer) => {
    const { refused, port, unharmed } = await openQuestion({
      listen: { allowOrigins: ["https://app.example"] },
    });
    const said = await refused("/wire", { headers: headers(port) });
    expect(said.startsWith(answer)).toBe(true);
    expect(said).toMatch(/: allow it with --allow-(host|origin)$/);
    await unharmed();
  });

  test.each<[string, (port: number) => Record<string, string>]>([
    ["its own origin", (port) => ({ origin: `http://127.0.0.1:${port}` })],
    ["its own behind TLS", (port) => ({ origin: `https://127.0.0.1:${port}` })],
    ["localhost", (port) => ({ host: `localhost:${port}`, origin: `http://localhost:${port}` })],
    ["IPv6 loopback", (port) => ({ host: `[::1]:${port}` })],
    ["an origin that was allowed", () => ({ origin: "https://app.example" })],
    ["a host that was allowed", () => ({ host: "ASK.example" })],
  ])("a page with %s is let in", async (_, headers) => {
    const { join, port } = await listening([], {
      listen: { allowHosts: ["Ask.example"], allowOrigins: ["https://app.example"] },
    });
    const client = await join(undefined, { headers: headers(port) });
    expect(client.isClosed).toBe(false);
  });
});

test("two Host headers are refused, whichever is first, at the wire and at the page (P-SEC-4)", async () => {
  const { port, bytes, unharmed } = await openQuestion();
  const own = `Host: 127.0.0.1:${port}`;
  for (const hosts of [`${own}\r\nHost: evil.example`, `host: evil.example\r\n${own}`]) {
    for (const head of [
      "GET /wire HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket",
      "GET / HTTP/1.1",
    ]) {
      const stranger = await bytes();
      stranger.write(`${head}\r\n${hosts}\r\n\r\n`);
      const [answer] = await once(stranger, "data");
      expect(String(answer)).toMatch(
        /^HTTP\/1\.1 (403 Forbidden[\s\S]*two Host headers were sent|400 Bad Request)/,
      );
      stranger.destroy();
    }
  }
  await unharmed();
});

test.each([
  "*",
  "null",
  "https://*.example",
  "app.example",
  "https://app.example/page",
  "https://me@app.example",
])("%j is no origin that could be allowed (P-SEC-5)", async (origin) => {
  const why = `allowOrigins: ${origin}: expected one origin, such as https://app.example or http://host:8080`;
  await expect(listenWebSocket(scenario([]).server, { allowOrigins: [origin] })).rejects.toThrow(why);
});

describe("requests that are not the wire (P-SES-1)", () => {
  test("a plain request is answered with the place of the wire", async () => {
    const { url, unharmed } = await openQuestion();
    for (const path of ["/", "/wire"]) {
      const response = await new Promise<import("node:http").IncomingMessage>((resolve) =>
        get(url(path).replace("ws:", "http:"), resolve),
      );
      response.setEncoding("utf8");
      expect([response.statusCode, (await response.toArray()).join("")]).toEqual([
        404,
        "Not found. The wire is at /wire.\n",
      ]);
    }
    await unharmed();
  });

  test.each(["/", "/wired", "/wire/a/b", "/WIRE", "/x/wire"])(
    "an upgrade to %s is refused where it is not the wire",
    async (path) => {
      const { refused } = await listening([]);
      expect(await refused(path)).toBe("404 the wire is at /wire");
    },
  );

  test.each(["/wire/", "/wire/nothing", "/wire/%00", "/wire/__proto__"])(
    "the address %s is no session: 4404",
    async (path) => {
      const { open, unharmed } = await openQuestion();
      expect(await (await open(path)).ended).toBe("4404 there is no such session");
      await unharmed();
    },
  );

  test("an upgrade that is cut while it is refused does not end the server", async () => {
    const { bytes, unharmed } = await openQuestion();
    const stranger = await bytes();
    stranger.write("GET /wire HTTP/1.1\r\nHost: evil\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    stranger.write("x".repeat(100_000));
    stranger.resetAndDestroy();
    await unharmed();
  });
});

describe("the limits (P-SES-5)", () => {
  test("a connection over the limit is closed with 4413, and fits when another has left", async () => {
    const { open, join, one, two, unharmed } = await openQuestion({ listen: { maxConnections: 3 } });
    const third = await join();
    expect(await (await open()).ended).toBe("4413 more than 3 connections");
    third.close();
    await third.ended;
    await join();
    expect([one.isClosed, two.isClosed]).toEqual([false, false]);
    await unharmed();
  });

  test("a session over the limit is closed with 4413; the others can still be joined", async () => {
    const { open, join, session, unharmed } = await openQuestion({ maxSessions: 2 });
    const late = await open();
    late.send(initialize);
    expect(await late.ended).toBe("4413 more than 2 sessions");
    await (await join(session)).seen("QuestionRequest");
    await unharmed();
  });
});

test("a session that cannot be made closes its connection with 1011, and the others continue (P-SES-5)", async () => {
  let made = 0;
  const agent = () => {
    made += 1;
    // The first agent tells the address, the second is for the client that stays.
    if (made > 2) throw new Error("the agent needs a key");
    return { run: async () => {} };
  };
  const { open, join, server } = await listening([], { agent });
  const session = server.createSession();
  const unlucky = await open();
  unlucky.send(initialize);
  expect(await unlucky.ended).toBe("1011 the agent needs a key");
  expect((await join(session)).isClosed).toBe(false);
});

test("a session whose kept part cannot be opened later closes its connection with 1011 (P-SES-5)", async () => {
  // The first session tells the address.
  const ways = [() => undefined, () => Promise.reject(new Error("the store is away"))];
  const { open } = await listening([], { keep: () => ways.shift()?.() });
  const unlucky = await open();
  unlucky.send(initialize);
  expect(await unlucky.ended).toBe("1011 the store is away");
});

describe("in an HTTP server that is there already", () => {
  async function listen<T extends Server>(http: T): Promise<T> {
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void http.close());
    return http;
  }

  test("an HTTP server that is there already keeps its requests and its other upgrades, also after the gateway is closed", async () => {
    const http = await listen(createHttpServer((_request, response) => response.end("its own")));
    http.on("upgrade", (request, stream) => {
      if (request.url === "/other") stream.end("HTTP/1.1 418 I am a teapot\r\nContent-Length: 0\r\n\r\n");
    });
    const { server } = scenario([]);
    const gateway = attachWebSocket(server, http);
    const { join, refused, url } = clientsOf(server, gateway);
    const client = await join();
    expect(await refused("/other")).toBe("418 ");
    await gateway.close();
    expect(await client.ended).toBe("1012 the server is stopping");
    const page = await fetch(url("/wire").replace("ws:", "http:"));
    expect(await page.text()).toBe("its own");
    expect(await refused("/other")).toBe("418 ");
  });

  test("a refused upgrade does not stay connected, though the other side leaves its end open", async () => {
    const http = await listen(createHttpServer());
    const gateway = attachWebSocket(scenario([]).server, http);
    onTestFinished(() => gateway.close());
    const gone = new Promise((resolve) => http.once("connection", (socket) => socket.once("close", resolve)));
    const stranger = createConnection({ port: (http.address() as AddressInfo).port, allowHalfOpen: true });
    onTestFinished(() => void stranger.destroy());
    stranger.write("GET /wire HTTP/1.1\r\nHost: evil\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    await gone;
  });

  test("a gateway says why it has no address: it is given no session, or its HTTP server does not listen", async () => {
    const { server } = scenario([]);
    const waiting = attachWebSocket(server, createHttpServer());
    expect(() => waiting.address(server.createSession())).toThrow(
      "address: the HTTP server does not listen yet",
    );
    const gateway = attachWebSocket(server, await listen(createHttpServer()));
    onTestFinished(() => gateway.close());
    expect(() => gateway.address(undefined as never)).toThrow(
      "address: expected a session, as server.createSession() makes",
    );
  });

  test("a gateway in an HTTP server with TLS has addresses with wss", async () => {
    const http = await listen(createHttpsServer({ key: pem("key"), cert: pem("cert") }));
    const { server } = scenario([]);
    const gateway = attachWebSocket(server, http);
    onTestFinished(() => gateway.close());
    expect(gateway.address(server.createSession())).toMatch(/^wss:/);
    const client = await clientsOf(server, gateway).join(undefined, { ca: pem("cert") });
    expect(client.isClosed).toBe(false);
  });

  test("a gateway with a certificate listens with TLS itself, and with a wrong one not at all", async () => {
    const { server } = scenario([]);
    const [cert, key] = [pem("cert").toString(), pem("key").toString()];
    const gateway = await listenWebSocket(server, { tls: { cert, key } });
    onTestFinished(() => gateway.close());
    expect(gateway.address(server.createSession())).toMatch(/^wss:/);
    const client = await clientsOf(server, gateway).join(undefined, { ca: pem("cert") });
    expect(client.isClosed).toBe(false);
    await expect(listenWebSocket(server, { tls: { cert, key: cert } })).rejects.toThrow();
  });

  test("an address that is taken is an error, and nothing stays behind", async () => {
    const { port } = await listening([]);
    const clock = drivenClock();
    await expect(listenWebSocket(scenario([]).server, { port, clock })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
    expect(clock.waiting).toBe(0);
  });
});

test.each([
  ["", undefined],
  [", also before the handshake of TLS", { cert: pem("cert").toString(), key: pem("key").toString() }],
])("closing does not wait for somebody who is connected and says nothing%s", async (_, tls) => {
  const { gateway, bytes, refused } = await listening([], { listen: tls ? { tls } : {} });
  const silent = await bytes();
  // The first client was let in first.
  await refused("/elsewhere", { ca: pem("cert") });
  const cut = new Promise((resolve) => silent.resume().once("close", resolve));
  await gateway.close();
  await cut;
});
