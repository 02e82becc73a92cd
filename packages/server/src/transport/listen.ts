import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import { systemClock } from "../runtime/clock.js";
import type { AskwireServer } from "../server/server.js";
import { checkServer } from "./check-server.js";
import type { DeviceRequests } from "./device-requests.js";
import { door } from "./door.js";
import { exactOrigins, isLoopback, urlHost } from "./origin.js";
import { type PageFiles, readPage, withServers } from "./page-files.js";
import { pageServersOf } from "./page-servers.js";
import { type Gateway, openGateway, type WebSocketOptions, webSocketRules } from "./web-socket.js";

/** The options of a connection, and the address to listen at. */
export interface ListenOptions extends WebSocketOptions {
  /** An address of this machine. Default: 127.0.0.1, which only this machine reaches. */
  readonly host?: string;
  /** Allows a `host` that other machines reach: the wire itself is not encrypted. Default: false. */
  readonly allowRemote?: boolean;
  /** The port. Default: 0, which takes a free one. */
  readonly port?: number;
  /** A certificate and its key in PEM, to listen with TLS. Default: none, and nothing is encrypted. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /**
   * A built page, whose files are served at `/` (P-DEV-5): the folder, which is read once, or the contents of the files
   * by their path in it, such as `assets/style.css`. Default: no page.
   */
  readonly page?: string | ReadonlyMap<string, Uint8Array>;
  /**
   * The origins of the other servers that the page may reach, 20 at most: `https://host`, or `http://127.0.0.1:8080`
   * for one of this machine. The page finds the list at `/servers.json` (P-DEV-6). Default: none, and no such file.
   */
  readonly pageServers?: readonly string[];
  /**
   * Answers for the paired `devices` beside the wire, by path, such as `/push`: JSON by POST, with the token of the
   * device as a bearer. A path of a file of the page is taken from it. Default: nothing.
   */
  readonly deviceRequests?: DeviceRequests;
}

const listenRules: OptionRules<ListenOptions> = {
  ...webSocketRules,
  host: option.text,
  allowRemote: option.flag,
  port: option.whole(0, 65_535),
  tls: option.of<NonNullable<ListenOptions["tls"]>>({
    cert: option.required(option.any),
    key: option.required(option.any),
  }),
  page: option.either(option.text, option.having("a Map of contents by path", "get", "entries")),
  pageServers: option.texts,
  deviceRequests: option.object,
};

/** The time for a request to arrive, in milliseconds. Upgraded connections are not bound by it. */
const patience = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

/**
 * Listens for WebSockets on a separate server. The same server sends the page and pairs devices (P-DEV-2).
 * Rejects if the address cannot be taken, or the page or the certificate cannot be used.
 *
 * @throws TypeError if an option is unknown or does not fit, a token is too weak, both are one, others reach the `host` without `allowRemote` (P-SEC-7), or
 * an origin in `pageServers` is not one that a page may reach.
 */
export async function listenWebSocket(server: AskwireServer, options: ListenOptions = {}): Promise<Gateway> {
  checkServer("listenWebSocket", server);
  checkOptions("listenWebSocket", options, listenRules);
  const { host = "127.0.0.1", port = 0, allowRemote = false } = options;
  if (!allowRemote && !isLoopback(host)) {
    throw new TypeError(`host: others reach ${host}: expected 127.0.0.1, or allowRemote: true`);
  }
  const { tls, page, devices, clock = systemClock, allowOrigins = [] } = options;
  const hosts = [...(options.allowHosts ?? []), urlHost(host)];
  const listener = door({
    rules: { hosts, origins: exactOrigins(allowOrigins, "allowOrigins: ") },
    ...pageOf(page, options.pageServers),
    devices,
    deviceRequests: options.deviceRequests,
    visitor: (request) => visitors.visitor(request),
    clock,
  });
  const http =
    tls === undefined
      ? createHttpServer(patience, listener)
      : createHttpsServer({ ...patience, handshakeTimeout: 10_000, ...tls }, listener);
  // An HTTPS server itself knows no connection before its handshake.
  const streams = new Set<Socket>();
  http.on("connection", (stream) => {
    streams.add(stream);
    stream.once("close", () => streams.delete(stream));
  });
  const { gateway, visitors } = openGateway(server, http, { ...options, allowHosts: hosts });
  try {
    await new Promise<void>((resolve, reject) => {
      http.once("error", reject);
      http.listen(port, host, () => resolve());
    });
  } catch (error) {
    await gateway.close();
    throw error;
  }
  return {
    ...gateway,
    async close() {
      await gateway.close();
      const closed = new Promise((resolve) => http.close(resolve));
      // A silent connection would otherwise hold the server.
      for (const stream of streams) stream.destroy();
      await closed;
    },
  };
}

/** The files of the page, and the other servers that the page may reach. */
function pageOf(
  page: ListenOptions["page"],
  servers: readonly string[] | undefined,
): { page: PageFiles | undefined; pageServers: readonly string[] } {
  const pageServers = readServers(servers ?? []);
  if (page === undefined) return { page: undefined, pageServers };
  const files = readPage(page);
  return { page: servers === undefined ? files : withServers(files, pageServers), pageServers };
}

function readServers(origins: readonly string[]): readonly string[] {
  try {
    return pageServersOf(origins);
  } catch (error) {
    throw new TypeError(`pageServers: ${(error as Error).message}`);
  }
}
