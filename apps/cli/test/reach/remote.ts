import { existsSync, readFileSync, statSync, watch } from "node:fs";
import { chmod } from "node:fs/promises";
import { request } from "node:http";
import { request as secureRequest } from "node:https";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { colourScript, folderWith, startServe } from "../askwire.js";

/** `askwire serve --listen` of a scripted agent with a home of its own, once it has printed the page's address. */
export async function serveRemote(
  args: readonly string[] = [],
  { home, env, ...options }: { home?: string; env?: Record<string, string>; port?: string } = {},
) {
  const cwd = await folderWith({ "s.json": colourScript, token: "the-token-of-all-servers\n" });
  const share = home ?? (await folderWith());
  const served = await startServe(["--script", "s.json", ...args], {
    cwd,
    ...options,
    env: { ...process.env, ASKWIRE_HOME: share, ...env },
  });
  async function stop(): Promise<string> {
    served.child.kill("SIGTERM");
    return (await served.ended).stderr;
  }
  return { ...served, share, stop, cwd };
}

/** A folder for PATH with a program that opens nothing and writes the address that it was told to `opened`. */
async function fakeBrowser(): Promise<{ PATH: string; opened: string }> {
  const folder = await folderWith({
    "xdg-open": '#!/bin/sh\nprintf "%s" "$*" > "$0.new" && mv "$0.new" "$(dirname "$0")/opened"\n',
  });
  await chmod(join(folder, "xdg-open"), 0o755);
  return { PATH: `${folder}:${process.env.PATH}`, opened: join(folder, "opened") };
}

/** Resolves with what `read` finds, as soon as something in the folder has changed so that it finds something. */
export function found<T>(folder: string, read: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      const value = read();
      if (value === undefined) return;
      watcher.close();
      resolve(value);
    };
    const watcher = watch(folder, look);
    look();
  });
}

/** A server whose page was opened in a browser that only notes the file it was told. */
export async function opened(args: readonly string[] = [], options: { home?: string; port?: string } = {}) {
  const { PATH, opened } = await fakeBrowser();
  const served = await serveRemote(["--open", ...args], { ...options, env: { PATH } });
  const arg = await found(dirname(opened), () =>
    existsSync(opened) ? readFileSync(opened, "utf8") : undefined,
  );
  const file = fileURLToPath(arg);
  const html = readFileSync(file, "utf8");
  const [, address = ""] = /content="0;url=([^"]+)"/.exec(html) ?? [];
  return { ...served, arg, file, mode: statSync(file).mode & 0o777, page: address.replaceAll("&amp;", "&") };
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The response to a request. A given path is sent verbatim, and no certificate is checked. */
export function ask(
  address: string,
  { body, ...options }: Sent & { path?: string } = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const make = address.startsWith("https:") ? secureRequest : request;
    const sent = make(address, { ...options, agent: false, rejectUnauthorized: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Exchanges the code of an address for the token of a device. */
export async function pair(address: string): Promise<{ token: string; device: string; role?: string }> {
  const { origin, hash } = new URL(address);
  const body = JSON.stringify({ code: new URLSearchParams(hash.slice(1)).get("code") });
  const headers = { "content-type": "application/json", "user-agent": "Firefox/140 (X11; Linux)" };
  const { status, text } = await ask(`${origin}/pair`, { method: "POST", headers, body });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text);
}
