import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { createServer } from "@askwire/server";
import { serverMetrics } from "@askwire/server/metrics";
import { describe, expect, onTestFinished, test } from "vitest";
import { exposed, sampleValue } from "../../../../packages/server/test/measures/exposed.js";
import { deferred } from "../../../../scripts/deferred.js";
import { canKeep } from "../../src/measures/can-keep.js";
import { openMeasuresDoor } from "../../src/measures/measures-door.js";
import { askwire, colour, colourScript, folderWith, startAskwire } from "../askwire.js";
import { isRequest, launch } from "../wire-process.js";

const question = { kind: "question" };

/** The text that a server gives at a path of its metrics' address. */
async function got(origin: string, path = "/metrics"): Promise<string> {
  return (await fetch(`${origin}${path}`)).text();
}

/** Waits until the metrics have a value, which a message on another connection may be ahead of. */
async function untilValue(origin: string, value: number, name: string, labels: Record<string, string>) {
  let text = await got(origin);
  while (sampleValueOr0(text, name, labels) !== value) text = await got(origin);
  return text;
}

/** The value of a sample that is there once something has happened. */
function sampleValueOr0(text: string, name: string, labels: Record<string, string>): number {
  try {
    return sampleValue(text, name, labels);
  } catch {
    return 0;
  }
}

/** The address of the metrics, as a process says it on standard error. */
function metricsOrigin(stderr: NodeJS.ReadableStream): Promise<string> {
  let said = "";
  return new Promise((resolve) => {
    stderr.on("data", (text: string) => {
      said += text;
      const [, origin] = /^askwire: metrics at (http:\S+)\/metrics$/m.exec(said) ?? [];
      if (origin !== undefined) resolve(origin);
    });
  });
}

/** `askwire serve` over WebSocket with metrics. */
async function measured() {
  const cwd = await folderWith({ "s.json": colourScript });
  const args = ["serve", "--listen", "127.0.0.1:0", "--script", "s.json", "--metrics", "0"];
  const { child, ended } = startAskwire(args, { cwd });
  const address = new Promise<string>((resolve) => {
    child.stdout.once("data", (text: string) => resolve(/^ws:\S+$/m.exec(text)?.[0] ?? text));
  });
  const origin = await metricsOrigin(child.stderr);
  return { origin, port: new URL(origin).port, address: await address, child, ended };
}

describe("serve --listen with --metrics", () => {
  test("questions that are open, answered, expired and cancelled are counted, and no word of them is told", async () => {
    const { address, origin, child, ended } = await measured();
    const answers = new Map([["Answer me?", { answers: { "Answer me?": "Yes" } }]]);
    const person = await connectWebSocket(address, {
      client: { name: "Ännchen" },
      handlers: {
        question: ({ questions: [first] }, { signal }) =>
          answers.get(first?.question ?? "") ??
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      },
    });
    onTestFinished(() => person.close());
    const program = await connectWebSocket(address, { client: { name: "deployer" } });
    onTestFinished(() => program.close());
    const asked = (text: string) => [{ question: text, options: [{ label: "Yes" }] }];

    await program.ask({ key: "key-of-one", questions: asked("Answer me?") });
    const expired = program.ask({
      key: "key-of-two",
      questions: asked("Too late?"),
      deadline: { ms: 1, on_expiry: "cancel" },
    });
    expect((await expired).outcome).toMatchObject({ status: "expired" });
    const turn = person.prompt("Paint the shop");
    let text = await untilValue(origin, 1, "askwire_requests_open", question);
    expect(sampleValue(text, "askwire_sessions", { state: "waiting" })).toBe(1);
    await person.cancel();
    expect(await turn.result).toEqual({ status: "cancelled" });

    text = await untilValue(origin, 0, "askwire_requests_open", question);
    const outcomes = exposed(text)
      .get("askwire_request_outcomes_total")
      ?.samples.map(({ labels: { status, reason, by }, value }) => `${status} ${reason} by ${by}: ${value}`);
    expect(outcomes?.sort()).toEqual([
      "answered  by person: 1",
      "expired deadline by deadline: 1",
      "withdrawn interrupted by person: 1",
    ]);
    expect(sampleValue(text, "askwire_requests_opened_total", question)).toBe(3);
    expect(sampleValue(text, "askwire_request_wait_seconds_count", question)).toBe(3);
    for (const word of ["Answer", "Paint", "nnchen", "deployer", "key-of", "/", address.split("#")[1] ?? ""])
      expect(text.replaceAll("text/plain", "")).not.toContain(word);
    child.kill("SIGTERM");
    expect((await ended).status).toBe(0);
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow();
  });

  test("the address is said on standard error, is ready once the server serves, and takes no other method, path or host", async () => {
    const { origin, port } = await measured();
    expect(await got(origin, "/healthz")).toBe('{"status":"ok"}\n');
    while (!(await fetch(`${origin}/readyz`)).ok);
    expect(await got(origin, "/readyz?verbose=1")).toBe('{"ready":true,"not_ready":[]}\n');
    const metrics = await fetch(`${origin}/metrics`, { method: "HEAD" });
    expect(metrics.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(Number(metrics.headers.get("content-length"))).toBeGreaterThan(1_000);
    const sent = await fetch(`${origin}/metrics`, { method: "POST", body: "x" });
    expect([sent.status, sent.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await fetch(`${origin}/wire`)).status).toBe(404);
    const foreign = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        const asking = request({ port, host: "127.0.0.1", path: "/metrics", headers }, ({ statusCode }) =>
          resolve(statusCode),
        );
        asking.once("error", reject).end();
      });
    expect(await foreign({ host: "rebound.example" })).toBe(403);
    expect(await foreign({ "x-long": "x".repeat(20_000) })).toBe(431);
  });

  test("a port in use is one line with the next step, and the server does not begin", async () => {
    const { port } = await measured();
    const cwd = await folderWith({ "s.json": colourScript });
    const args = ["serve", "--listen", "127.0.0.1:0", "--script", "s.json", "--metrics", port];
    expect(await askwire(args, { cwd })).toMatchObject({
      stdout: "",
      stderr: `askwire: --metrics ${port}: the port is taken; name another, or 0 for a free one\n`,
      status: 1,
    });
  });

  test("metrics that other machines reach are told for the token of the file alone, and probes without one", async () => {
    const token = randomBytes(32).toString("base64url");
    const cwd = await folderWith({ "s.json": colourScript, token: `${token}\n` });
    const listen = ["--listen", "127.0.0.1:0", "--script", "s.json"];
    const open = ["--metrics", "0.0.0.0:0", "--allow-remote", "--metrics-token-file", "token"];
    const { child } = startAskwire(["serve", ...listen, ...open], { cwd });
    const origin = (await metricsOrigin(child.stderr)).replace("0.0.0.0", "127.0.0.1");
    const asked = async (authorization?: string) =>
      fetch(`${origin}/metrics`, authorization === undefined ? {} : { headers: { authorization } });
    for (const wrong of [undefined, "", "Bearer ", `Bearer ${token}x`, token, `Basic ${token}`]) {
      const refused = await asked(wrong);
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      expect(await refused.text()).not.toContain("askwire_");
    }
    const told = await asked(`Bearer ${token}`);
    expect([told.status, await told.text()]).toEqual([200, expect.stringContaining("askwire_requests_open")]);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect([200, 503]).toContain((await fetch(`${origin}/readyz`)).status);
  });

  test.each([
    [
      ["--metrics", "0.0.0.0:0", "--allow-remote"],
      "other machines could reach it: add --metrics-token-file FILE with the token that the monitor sends, or use a port alone",
    ],
    [["--metrics", "0", "--metrics-token-file", "weak"], "--metrics-token-file weak: expected"],
    [["--metrics-token-file", "weak"], "--metrics-token-file: add --metrics PORT"],
  ])("%j is refused at start with the flag that helps", async (options, why) => {
    const cwd = await folderWith({ weak: "secret" });
    const { stdout, stderr, status } = await askwire(["serve", "--stdio", ...options], { cwd });
    expect([stdout, status]).toEqual(["", 2]);
    expect(stderr).toContain(why);
  });

  test.each([
    ["0.0.0.0:0", "other machines could reach it: use a port alone, or add --allow-remote"],
    ["here", "expected HOST:PORT, such as 127.0.0.1:0 for a free port"],
    ["65536", "expected HOST:PORT, such as 127.0.0.1:0 for a free port"],
  ])("--metrics %s is refused with the next step", async (address, why) => {
    const { stdout, stderr, status } = await askwire(["serve", "--stdio", "--metrics", address]);
    expect([stdout, status]).toEqual(["", 2]);
    expect(stderr).toContain(why);
  });
});

describe("serve --stdio with --metrics", () => {
  test("the one client's question is counted, and standard output stays the wire alone", async () => {
    const cwd = await folderWith({ "s.json": colourScript });
    const wire = launch(["serve", "--stdio", "--script", "s.json", "--metrics", "0"], { cwd });
    const origin = await metricsOrigin(wire.child.stderr as NodeJS.ReadableStream);
    await wire.call("initialize", {
      protocol_version: "1.10",
      client: { name: "raw", version: "1" },
      capabilities: { supports_question: true },
    });
    const turn = wire.call("prompt", { user_input: "go" });
    const { id } = await wire.seen(isRequest("QuestionRequest"));
    expect(sampleValue(await got(origin), "askwire_requests_open", question)).toBe(1);
    wire.send({ jsonrpc: "2.0", id, result: { request_id: id, answers: { [colour.question]: "Red" } } });
    await turn;
    const answered = { status: "answered", by: "person" };
    expect(sampleValue(await got(origin), "askwire_request_outcomes_total", answered)).toBe(1);
    wire.end();
    expect(await wire.ended).toMatchObject({ status: 0, stderr: `askwire: metrics at ${origin}/metrics\n` });
    expect(wire.noise).toEqual([]);
  });

  test("a server whose agent has not begun is alive, and says that it is starting", async () => {
    const silent = ["--", process.execPath, "-e", "setInterval(() => {}, 1000)"];
    const { child } = startAskwire(["serve", "--stdio", "--metrics", "0", "--wire", ...silent]);
    const origin = await metricsOrigin(child.stderr);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    const ready = await fetch(`${origin}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, { ready: false, not_ready: ["starting"] }]);
  });
});

describe("the door for monitors", () => {
  test("a server that lets its sessions end says that it is stopping, and still lives", async () => {
    const held = deferred();
    const server = createServer({ agent: () => ({ run: async () => {}, close: () => held.promise }) });
    server.createSession();
    const parts = { metrics: serverMetrics(), notReady: () => server.notReady() };
    const door = await openMeasuresDoor({ host: "127.0.0.1", port: 0 }, parts);
    onTestFinished(() => door.close());
    expect((await fetch(`${door.origin}/readyz`)).status).toBe(200);
    const closed = server.close();
    const ready = await fetch(`${door.origin}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, { ready: false, not_ready: ["stopping"] }]);
    expect((await fetch(`${door.origin}/healthz`)).status).toBe(200);
    held.resolve();
    await closed;
  });

  test("a folder that cannot be written, or made, is told from one that can", async () => {
    const folder = await folderWith({ file: "" });
    expect(await canKeep(join(folder, "new", "share"))).toBe(true);
    expect(await canKeep(join(folder, "file", "share"))).toBe(false);
  });
});

describe("docs/metrics.md", () => {
  test("the table of the page has every metric that a server gives, with its type, its labels and its text", async () => {
    const { origin } = await measured();
    const page = await readFile(new URL("../../../../docs/metrics.md", import.meta.url), "utf8");
    const rows = page.split("\n").filter((line) => line.startsWith("| `askwire_"));
    const real = [...exposed(await got(origin))].map(([name, { type, help, samples }]) => {
      const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
      const own = name === "askwire_request_outcomes_total" ? ["status", "reason", "by"] : [...labels];
      const words = own.filter((label) => label !== "le").map((label) => `\`${label}\``);
      return `| \`${name}\` | ${type} | ${words.join(", ")} | ${help} |`.replace("|  |", "| |");
    });
    expect(rows).toEqual(real);
  });
});
