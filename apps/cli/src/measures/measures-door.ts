import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopback, urlHost } from "@askwire/server";
import { hostName, sameToken } from "@askwire/server/internal";
import type { HostPort } from "../input/host-port.js";

/** The answers that a monitor gets. */
export interface MeasuresAnswers {
  /** The metrics, and the type of their text. */
  readonly metrics: { text(): string; readonly contentType: string };
  /** The token that the metrics are told for. Default: they are told to whoever asks. */
  readonly token?: string | undefined;
  /** Names the parts that are not ready: none where all are. Never rejects. */
  notReady(): Promise<readonly string[]>;
}

/** The place where a monitor asks. */
export interface MeasuresDoor {
  /** The address that monitors ask at, such as `http://127.0.0.1:9464`. */
  readonly origin: string;
  /** Ends all connections, and listens no more. */
  close(): Promise<void>;
}

/** Connections at once: a monitor needs one. */
const MOST_CONNECTIONS = 32;

/** Bounds of a request: its head in bytes, and times in milliseconds. */
const bounds = {
  maxHeaderSize: 8_192,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

const TEXT = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json";

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Listens for monitors: `/metrics`, `/healthz` and `/readyz`, by GET and HEAD. At a loopback address, requests for the
 * name of another host are refused, as a page on a foreign site could make a browser send them. The two for an
 * orchestrator need no token, since they say nothing of what is asked.
 *
 * Rejects with the system's error if the address cannot be taken.
 */
export async function openMeasuresDoor(
  { host, port }: HostPort,
  answers: MeasuresAnswers,
): Promise<MeasuresDoor> {
  const http = createServer(bounds, (request, response) => {
    const foreign = isLoopback(host) && !isLoopback(hostName(request.headers.host) ?? "");
    void (foreign ? Promise.resolve(refusal) : answerTo(request, answers)).then((answer) =>
      send(request, response, answer),
    );
  });
  http.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, host, () => resolve());
  });
  const { port: bound } = http.address() as AddressInfo;
  return {
    origin: `http://${urlHost(host)}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

const refusal: Answer = { status: 403, type: TEXT, body: "This address is for monitors on this machine.\n" };

async function answerTo(
  { method = "", url = "", headers }: IncomingMessage,
  { metrics, token, notReady }: MeasuresAnswers,
): Promise<Answer> {
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead) return { status: 405, type: TEXT, body: "Only GET and HEAD.\n" };
  const path = url.replace(/\?.*/s, "");
  if (path === "/metrics" && token !== undefined && !sameToken(bearerOf(headers), token))
    return {
      status: 401,
      type: TEXT,
      body: "Send the token of --metrics-token-file as Authorization: Bearer.\n",
    };
  if (path === "/metrics") return { status: 200, type: metrics.contentType, body: metrics.text() };
  if (path === "/healthz") return { status: 200, type: JSON_TYPE, body: '{"status":"ok"}\n' };
  if (path !== "/readyz")
    return { status: 404, type: TEXT, body: "Not found. There are /metrics, /healthz and /readyz.\n" };
  const parts = await notReady();
  const body = `${JSON.stringify({ ready: parts.length === 0, not_ready: parts })}\n`;
  return { status: parts.length === 0 ? 200 : 503, type: JSON_TYPE, body };
}

/** The token of a request; undefined without one. */
const bearerOf = ({ authorization = "" }: IncomingHttpHeaders) => /^bearer +(\S+)$/i.exec(authorization)?.[1];

function send({ method }: IncomingMessage, response: ServerResponse, { status, type, body }: Answer): void {
  // The rest of a request that sends more than its head is not awaited.
  const isRead = method === "GET" || method === "HEAD";
  response.writeHead(status, {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    ...(status === 405 && { Allow: "GET, HEAD" }),
    ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
    ...(!isRead && { Connection: "close" }),
  });
  // Node leaves the body out where a head was asked for.
  response.end(body);
}
