import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

/** A file of a page, as sent. */
export interface PageFile {
  /** The content type. */
  readonly type: string;
  readonly body: Buffer;
  /** The body in gzip, made at the first call; undefined where that saves nothing. */
  packed(): Buffer | undefined;
}

/** The files of a page by the path of their address, such as `/app.js`. `/` is `index.html`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".txt": "text/plain; charset=utf-8",
};

/** Names that need no escape in an address, and are not hidden. */
const PLAIN_NAME = /^\w[\w.-]*$/;

/** The most files and bytes of a page, which all stay in memory. */
const MOST_FILES = 1_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Reads the files of a page once, so that no request names a path on disk. Hidden files, links and names that an
 * address would escape are left out.
 *
 * @param page the folder, or contents by path.
 * @throws TypeError for a page without `index.html`, or with too much in it; the system's error for a folder that
 * cannot be read.
 */
export function readPage(page: string | ReadonlyMap<string, Uint8Array>): PageFiles {
  const name = typeof page === "string" ? page : "the map";
  const step =
    typeof page === "string" ? "name the folder of a built page" : "give the files of a built page";
  const files = new Map<string, PageFile>();
  let bytes = 0;
  for (const [path, body] of typeof page === "string" ? filesOf(page) : plainFiles(page)) {
    bytes += body.length;
    files.set(`/${path}`, pageFile(types[extname(path)] ?? "application/octet-stream", body));
    if (files.size > MOST_FILES || bytes > MOST_BYTES)
      throw new TypeError(`page: ${name} has over ${MOST_FILES} files or 64 MiB: ${step}`);
  }
  const index = files.get("/index.html");
  if (index === undefined) throw new TypeError(`page: ${name} has no index.html: ${step}`);
  return files.set("/", index);
}

/** The files of a folder by their path in it. */
function* filesOf(folder: string, start = ""): Iterable<readonly [path: string, body: Buffer]> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry;
    if (!PLAIN_NAME.test(name)) continue;
    if (entry.isDirectory()) yield* filesOf(join(folder, name), `${start}${name}/`);
    if (entry.isFile()) yield [start + name, readFileSync(join(folder, name))];
  }
}

/** The files of a map whose address escapes nothing. */
function* plainFiles(
  contents: ReadonlyMap<string, Uint8Array>,
): Iterable<readonly [path: string, body: Buffer]> {
  for (const [path, body] of contents)
    if (path.split("/").every((name) => PLAIN_NAME.test(name))) yield [path, Buffer.from(body)];
}

/** Adds a file to a page that lists the other servers the page may reach: a JSON list of origins (P-DEV-6). */
export function withServers(files: PageFiles, servers: readonly string[]): PageFiles {
  const list = pageFile("application/json", Buffer.from(JSON.stringify(servers)));
  return new Map(files).set("/servers.json", list);
}

function pageFile(type: string, body: Buffer): PageFile {
  let gzip: Buffer | undefined;
  return {
    type,
    body,
    packed() {
      gzip ??= gzipSync(body, { level: 9 });
      return gzip.length < body.length ? gzip : undefined;
    },
  };
}
