import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { listenWebSocket } from "../../src/websocket.js";
import { scenario } from "../scenario.js";
import { listening, openQuestion } from "./gateway.js";
import { plainRequest } from "./plain-request.js";

const page = {
  "index.html": "<!doctype html><title>Askwire</title>",
  "app.js": "export {};",
  "assets/style.css": "body {}",
  "assets/icon.svg": "<svg/>",
  "app.webmanifest": "{}",
};

/** A folder with these files, and a secret beside it. */
async function pageFolder(files: Readonly<Record<string, string>> = page): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "askwire-page-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const web = join(folder, "web");
  for (const [name, text] of Object.entries({ ...files, ".hidden": "secret", "a b.txt": "secret" })) {
    await mkdir(dirname(join(web, name)), { recursive: true });
    await writeFile(join(web, name), text);
  }
  await writeFile(join(folder, "secret.txt"), "secret");
  await symlink(join(folder, "secret.txt"), join(web, "link.txt"));
  return web;
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; " +
  "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types askwire-worker";

const namedByHost = "expected a host name or an IPv4 address, which alone a browser's policy can name";

describe("a page that a gateway serves (P-DEV-5)", () => {
  test.each([
    ["/", "text/html; charset=utf-8", page["index.html"]],
    ["/index.html", "text/html; charset=utf-8", page["index.html"]],
    ["/?from=home", "text/html; charset=utf-8", page["index.html"]],
    ["/app.js", "text/javascript; charset=utf-8", page["app.js"]],
    ["/assets/style.css", "text/css; charset=utf-8", page["assets/style.css"]],
    ["/assets/icon.svg", "image/svg+xml", page["assets/icon.svg"]],
    ["/app.webmanifest", "application/manifest+json", page["app.webmanifest"]],
  ])(
    "a gateway sends %s under a strict policy, and HEAD the same without its text",
    async (path, type, text) => {
      const { port } = await listening([], { listen: { page: await pageFolder() } });
      const got = await plainRequest(port, path);
      expect(got).toMatchObject({
        status: 200,
        text,
        headers: {
          "content-type": type,
          "content-length": String(text.length),
          "content-security-policy": policy,
          "referrer-policy": "no-referrer",
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "cross-origin-opener-policy": "same-origin",
        },
      });
      const { date: _, connection: _also, ...headers } = got.headers;
      expect(await plainRequest(port, path, { method: "HEAD" })).toMatchObject({
        status: 200,
        text: "",
        headers,
      });
    },
  );

  test.each([
    ["gzip, deflate, br", true],
    ["br;q=1.0, GZIP;q=0.5", true],
    ["gzip;q=0, br", false],
    ["br", false],
    ["", false],
  ])("a gateway packs its files where the browser reads that: %j", async (accepted, packs) => {
    const text = "export const text = 1;\n".repeat(100);
    const { port } = await listening([], { listen: { page: await pageFolder({ ...page, "app.js": text }) } });
    const headers = { "accept-encoding": accepted };
    const got = await plainRequest(port, "/app.js", { headers });
    expect(got.headers["content-encoding"]).toBe(packs ? "gzip" : undefined);
    expect(got.headers["content-length"]).toBe(String(got.bytes.length));
    expect(got.headers.vary).toBe("Accept-Encoding");
    expect(String(packs ? gunzipSync(got.bytes) : got.bytes)).toBe(text);
    const small = await plainRequest(port, "/app.webmanifest", { headers });
    expect([small.headers["content-encoding"], small.text]).toEqual([undefined, "{}"]);
  });

  test.each([
    "/secret.txt",
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/..\\secret.txt",
    "//secret.txt",
    "/link.txt",
    "/.hidden",
    "/a%20b.txt",
    "/assets",
    "/assets/",
    "/assets/../app.js",
    "/%61pp.js",
    "/app.js%00",
    "/__proto__",
    "/wire",
    "http://127.0.0.1/app.js",
  ])("a gateway sends nothing but the page's files: %s is 404", async (path) => {
    const { port } = await listening([], { listen: { page: await pageFolder() } });
    const { status, text, headers } = await plainRequest(port, path);
    expect([status, text]).toEqual([404, "Not found. The wire is at /wire.\n"]);
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])(
    "a gateway refuses %s for its page with 405",
    async (method) => {
      const { port } = await listening([], { listen: { page: await pageFolder() } });
      const { status, text, headers } = await plainRequest(port, "/", { method, body: "x".repeat(100) });
      expect([status, text, headers.allow]).toEqual([405, "Only GET and HEAD.\n", "GET, HEAD"]);
      expect(headers.connection).toBe("close");
      expect((await plainRequest(port, "/none", { method })).status).toBe(404);
    },
  );

  test.each<[string, (port: number) => Record<string, string>]>([
    ["a name that was made to point here", (port) => ({ host: `evil.example:${port}` })],
    ["that name with a token", (port) => ({ host: `evil.example:${port}`, authorization: "Bearer x" })],
    ["a script of a foreign page", () => ({ origin: "https://evil.example" })],
    ["a sandboxed page", () => ({ origin: "null" })],
  ])("a gateway refuses %s for its page with 403 (P-SEC-4, P-SEC-5)", async (_, headers) => {
    const { port, unharmed } = await openQuestion({ listen: { page: await pageFolder() } });
    for (const path of ["/", "/app.js", "/none"]) {
      const { status, text } = await plainRequest(port, path, { headers: headers(port) });
      expect([status, text]).toEqual([
        403,
        expect.stringMatching(/: allow it with --allow-(host|origin)\n$/),
      ]);
    }
    await unharmed();
  });

  test("a gateway's page may reach other servers that were named, by a policy with their exact origins, and has a list of them (P-DEV-6)", async () => {
    const named = ["https://Desk.example/", "http://127.0.0.1:8081", "https://desk.example"];
    const { port } = await listening([], { listen: { page: await pageFolder(), pageServers: named } });
    const { headers } = await plainRequest(port, "/");
    const sources = "https://desk.example wss://desk.example http://127.0.0.1:8081 ws://127.0.0.1:8081";
    expect(headers["content-security-policy"]).toBe(
      policy.replace("connect-src 'self'", `connect-src 'self' ${sources}`),
    );
    expect(await plainRequest(port, "/servers.json")).toMatchObject({
      status: 200,
      text: '["https://desk.example","http://127.0.0.1:8081"]',
      headers: { "content-type": "application/json" },
    });
  });

  test("a gateway's page may reach no other server unless one was named", async () => {
    const { port } = await listening([], { listen: { page: await pageFolder(), pageServers: [] } });
    const { text, headers } = await plainRequest(port, "/servers.json");
    expect([text, headers["content-security-policy"]]).toEqual(["[]", policy]);
  });

  test.each([
    ["desk.example", "expected an origin, such as https://host or http://127.0.0.1:8080"],
    ["wss://desk.example", "expected an origin, such as https://host or http://127.0.0.1:8080"],
    ["https://desk.example/ask", "expected an origin, such as https://host or http://127.0.0.1:8080"],
    ["https://a:b@desk.example", "expected an origin, such as https://host or http://127.0.0.1:8080"],
    ["https://desk.example;script-src", namedByHost],
    ["https://*.example", namedByHost],
    ["https://[2001:db8::7]", namedByHost],
    ["http://desk.example", "others could read the token on the way: expected https, or http to 127.0.0.1"],
  ])("a gateway's page cannot be let reach %s", async (origin, why) => {
    const listen = listenWebSocket(scenario([]).server, { pageServers: [origin] });
    await expect(listen).rejects.toThrow(new TypeError(`pageServers: ${origin}: ${why}`));
  });

  test("a gateway's page cannot be let reach more than 20 servers", async () => {
    const pageServers = [...Array(21).keys()].map((index) => `https://desk${index}.example`);
    const why = "pageServers: expected at most 20 servers, not 21: leave some out";
    await expect(listenWebSocket(scenario([]).server, { pageServers })).rejects.toThrow(new TypeError(why));
  });

  test("a gateway's page is reached by a host that was allowed", async () => {
    const listen = { page: await pageFolder(), allowHosts: ["phone.example"] };
    const { port } = await listening([], { listen });
    expect((await plainRequest(port, "/", { headers: { host: "phone.example" } })).status).toBe(200);
  });

  test("a gateway's page stays unchanged while the server runs", async () => {
    const folder = await pageFolder();
    const { port } = await listening([], { listen: { page: folder } });
    await rm(folder, { recursive: true });
    expect((await plainRequest(port, "/app.js")).text).toBe(page["app.js"]);
  });

  test("a gateway serves a page that its program carries in memory, but for hidden and escaped names", async () => {
    const contents = new Map(
      Object.entries({ ...page, ".hidden": "secret", "a b.txt": "secret", "../up.txt": "secret" }).map(
        ([path, text]) => [path, Buffer.from(text)],
      ),
    );
    const { port } = await listening([], { listen: { page: contents } });
    expect(await plainRequest(port, "/")).toMatchObject({ status: 200, text: page["index.html"] });
    const style = await plainRequest(port, "/assets/style.css");
    expect(style).toMatchObject({
      text: page["assets/style.css"],
      headers: { "content-type": expect.stringMatching(/^text\/css/) },
    });
    for (const path of ["/.hidden", "/a%20b.txt", "/up.txt"])
      expect((await plainRequest(port, path)).status).toBe(404);
  });

  test("a page in memory without index.html is refused with what to give", async () => {
    const listen = listenWebSocket(scenario([]).server, { page: new Map() });
    const why = "page: the map has no index.html: give the files of a built page";
    await expect(listen).rejects.toThrow(new TypeError(why));
  });

  test("a page that is neither a folder nor a map is refused by its name", async () => {
    const listen = listenWebSocket(scenario([]).server, { page: 7 as never });
    await expect(listen).rejects.toThrow("page: expected a string or a Map of contents by path, not 7");
  });

  test.each([
    ["a folder without index.html", { "app.js": "" }, "has no index.html: name the folder of a built page"],
    [
      "a folder of more than 1,000 files",
      Object.fromEntries([...Array(1_001).keys()].map((index) => [`${index}.js`, ""])),
      "has over 1000 files or 64 MiB: name the folder of a built page",
    ],
  ])("a gateway's page cannot be %s", async (_, files, why) => {
    const folder = await pageFolder(files);
    const listen = listenWebSocket(scenario([]).server, { page: folder });
    await expect(listen).rejects.toThrow(new TypeError(`page: ${folder} ${why}`));
  });
});
