import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import type { ClientSession } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import type { QuestionInput, Unrecognized, WireEvent } from "@askwire/protocol";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { TestBrowser } from "../../../examples/test/test-browser.js";

const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:",
  "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "require-trusted-types-for 'script'; trusted-types askwire-worker",
].join("; ");
const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};
const command = fileURLToPath(new URL("../../cli/bin/askwire.js", import.meta.url));
const TOKEN = "the-token-of-all-page-tests";

/** Work to undo, the last first. */
type Ends = (() => unknown)[];

/** A running `askwire serve --listen` with a scripted model. */
export interface Served {
  readonly port: number;
  readonly session: string;
  stop(): Promise<void>;
}

/** The folder of a server, which keeps its sessions there, and its token. */
export async function serverFolder(ends: Ends, script: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "askwire-page-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "script.json"), JSON.stringify(script));
  await writeFile(join(folder, "token"), TOKEN);
  return folder;
}

/** Starts the command in the folder of a server. */
export async function serve(
  ends: Ends,
  folder: string,
  port = 0,
  more: readonly string[] = [],
): Promise<Served> {
  const args = ["serve", "--listen", `127.0.0.1:${port}`, "--script", "script.json", "--token-file", "token"];
  const child = spawn(process.execPath, [command, ...args, ...more], {
    cwd: folder,
    env: { ...process.env, ASKWIRE_HOME: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const stop = async () => {
    child.kill("SIGKILL");
    await closed;
  };
  ends.push(stop);
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      printed += piece;
      const [, at, session] = /^ws:\/\/127\.0\.0\.1:(\d+)\/wire\/([^#]+)#/m.exec(printed) ?? [];
      if (at !== undefined && session !== undefined) resolve({ port: Number(at), session, stop });
    });
    void closed.then(() => reject(new Error(`serve ended and printed ${printed}`)));
  });
}

/** Serves the files of the page, and passes connections on to the server until it is cut. */
async function front(ends: Ends, folder: string, port: () => number) {
  const sockets = new Set<Duplex>();
  let isCut = false;
  const files = new Set(await readdir(folder));
  const http = createServer(async ({ url = "" }, response) => {
    const name = url === "/" ? "index.html" : url.slice(1);
    if (!files.has(name)) return response.writeHead(404).end();
    const type = types[extname(name)] ?? "application/octet-stream";
    const headers = { "content-type": `${type}; charset=utf-8`, "content-security-policy": policy };
    response.writeHead(200, headers).end(await readFile(join(folder, name)));
  });
  http.on("upgrade", ({ method, url, rawHeaders }, socket, head) => {
    if (isCut) return socket.destroy();
    sockets.add(socket);
    const lines = [`${method} ${url} HTTP/1.1`];
    for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
    const on = connect(
      port(),
      "127.0.0.1",
      () => on.write(`${lines.join("\r\n")}\r\n\r\n`) && on.write(head),
    );
    on.on("error", () => socket.destroy()).on("close", () => socket.destroy());
    socket.on("error", () => on.destroy()).on("close", () => on.destroy());
    on.pipe(socket).pipe(on);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  ends.push(() => http.close().closeAllConnections());
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
  };
}

/** A page on a session of a running server, and a client beside it. */
export interface Opened {
  readonly page: Page;
  /** What the browser complained of: violations of the policy, failures, lines of the console. */
  readonly complaints: string[];
  readonly served: Served;
  readonly origin: string;
  /** Cuts the page's connection, and lets it through again. */
  cut(): void;
  mend(): void;
  /**
   * Starts the next server of the session, once the first one has stopped, whose model goes on with this script; or one
   * that does not know the session.
   */
  again(script: readonly string[]): Promise<unknown>;
  anew(): Promise<unknown>;
  /** A client that shows nothing: it prompts, and asks as a program. */
  readonly other: ClientSession;
  /** What the model was told of each tool call, over all servers. */
  readonly told: readonly string[];
  /** The address of the page with its token. */
  readonly address: string;
}

/** Opens the page on the session of a server with this script. */
export async function openPage(
  { ends, newPage }: TestBrowser,
  files: string,
  script: readonly string[] = [],
  context: BrowserContextOptions = { viewport: { width: 1_000, height: 900 } },
): Promise<Opened> {
  const folder = await serverFolder(ends, script);
  const served = await serve(ends, folder);
  const { origin, cut, mend } = await front(ends, files, () => served.port);
  const told: string[] = [];
  const event = (event: WireEvent | Unrecognized) => void told.push(...resultOf(event));
  const wire = `ws://127.0.0.1:${served.port}/wire/${served.session}#${TOKEN}`;
  const other = await connectWebSocket(wire, { handlers: { event } });
  ends.push(() => other.close());
  const address = `${origin}/#token=${TOKEN}&session=${served.session}`;
  const { page, complaints } = await newPage(context);
  await page.goto(address);
  await page.getByText("Connected", { exact: true }).waitFor();
  return {
    ...{ page, complaints, served, origin, other, told, address, cut, mend },
    async again(script) {
      await writeFile(join(folder, "script.json"), JSON.stringify(script));
      return serve(ends, folder, served.port, ["--session", served.session]);
    },
    anew: () => serve(ends, folder, served.port),
  };
}

/** What the model is told of a tool call, of the event that ends one. */
function resultOf({ type, payload }: WireEvent | Unrecognized): string[] {
  if (type !== "ToolResult") return [];
  const { output, message } = payload.return_value;
  return [(typeof output === "string" ? output : JSON.stringify(output)) || message];
}

/** Prompts, and resolves with what the model is told of each tool call. */
export async function results(other: ClientSession): Promise<string[]> {
  const told: string[] = [];
  for await (const event of other.prompt("go")) told.push(...resultOf(event));
  return told;
}

/** Asks as a program. A test that has seen enough leaves the question open. */
export function ask(other: ClientSession, questions: readonly QuestionInput[], signal?: AbortSignal) {
  const asked = other.ask({ questions, ...(signal !== undefined && { signal }) });
  asked.catch(() => {});
  return asked;
}

/** A line of a script: the model calls a tool. */
export const calls = (name: string, input: unknown, id = "call-1"): string =>
  `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(input) })}`;
