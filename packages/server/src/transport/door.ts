import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../runtime/clock.js";
import { answerDevice, type DeviceRequests } from "./device-requests.js";
import type { Devices } from "./devices.js";
import { foreignRequest, type OriginRules } from "./origin.js";
import type { PageFiles } from "./page-files.js";
import { connectSources } from "./page-servers.js";
import { answerPair, PairGuard } from "./pairing.js";
import type { Visitor } from "./secrets.js";
import { createTokenGuard, sentToken } from "./token.js";
import type { Refusal } from "./trusted-header.js";

/** The policy of the page: all files come from this server, and no text becomes a script (P-DEV-5). */
const policy = (servers: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["connect-src 'self'", ...servers.flatMap(connectSources)].join(" "),
    "img-src 'self' blob:",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The page may make one policy, by which it gives the address of its service worker.
    "trusted-types askwire-worker",
  ].join("; ");

/** The headers of every response. */
const headersFor = (servers: readonly string[]) => ({
  "Cache-Control": "no-store",
  "Content-Security-Policy": policy(servers),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
});

/** The headers by which a browser lets a page of an origin that was allowed read the answer (P-DEV-6). */
function readableBy({ headers }: IncomingMessage, { origins }: OriginRules): Record<string, string> {
  const { origin } = headers;
  const isAllowed = origin !== undefined && origins.includes(origin);
  return { Vary: "Origin", ...(isAllowed && { "Access-Control-Allow-Origin": origin }) };
}

/** The address of a session on the page, which finds the session by itself (P-DEV-5). */
const SESSION_PLACE = /^\/s\/[^/]+$/;

/** A name that is another with other bytes, as esbuild and Rolldown make them: a browser may keep such a file for ever. */
const HASHED = /-(?:[\dA-Z]{8}|[\da-f]{6,8})\.(?:js|css)$/;

const TEXT = "text/plain; charset=utf-8";

/** The parts of a gateway that plain requests reach. */
export interface DoorOptions {
  readonly rules: OriginRules;
  readonly page: PageFiles | undefined;
  /** The origins of the servers that the page may reach besides this one. */
  readonly pageServers: readonly string[];
  readonly devices: Devices | undefined;
  readonly deviceRequests: DeviceRequests | undefined;
  /** As `Visitors.visitor`. */
  readonly visitor: (request: IncomingMessage) => Visitor | Refusal | undefined;
  readonly clock: Clock;
}

/**
 * Makes the listener for requests that are no upgrade: files of the page, `POST /pair`, requests of devices, else 404.
 * Foreign hosts and origins are refused with 403 (P-SEC-4, P-SEC-5).
 */
export function door(options: DoorOptions) {
  const { rules, page, pageServers, devices, deviceRequests = {}, clock } = options;
  const guard = new PairGuard(clock.now);
  const tokens = createTokenGuard(clock.now);
  const headers = headersFor(pageServers);

  return (request: IncomingMessage, response: ServerResponse): void => {
    const { method = "", url = "" } = request;
    const path = url.replace(/\?.*/s, "");
    const file = page?.get(SESSION_PLACE.test(path) ? "/" : path);
    const pairs = devices !== undefined && path === "/pair";
    const answer = devices !== undefined && Object.hasOwn(deviceRequests, path) && deviceRequests[path];

    function send(
      status: number,
      type: string,
      body: string | Buffer,
      more: Record<string, string> = {},
    ): void {
      const length = Buffer.byteLength(body);
      // The rest of a request that sends more than its head is not awaited.
      const close = method === "GET" || method === "HEAD" ? {} : { Connection: "close" };
      response.writeHead(status, {
        ...headers,
        ...close,
        ...more,
        "Content-Type": type,
        "Content-Length": length,
      });
      // Node leaves the body out where a head was asked for.
      response.end(body);
    }
    const refuse = (status: number, why: string, more?: Record<string, string>) =>
      pairs || answer
        ? send(status, "application/json", JSON.stringify({ error: why }), more)
        : send(status, TEXT, `${why}\n`, more);

    const foreign = foreignRequest(request, rules);
    if (foreign !== undefined) return refuse(403, foreign);
    if (pairs) {
      const readable = readableBy(request, rules);
      if (method === "OPTIONS" && "Access-Control-Allow-Origin" in readable) {
        const allowed = {
          "Access-Control-Allow-Methods": "POST",
          "Access-Control-Allow-Headers": "content-type",
        };
        return send(200, TEXT, "", { ...readable, ...allowed });
      }
      if (method !== "POST") return refuse(405, "send the code by POST", { Allow: "POST" });
      const answered = answerPair(request, { devices, guard, clock });
      return void answered.then(({ status, body }) =>
        send(status, "application/json", JSON.stringify(body), readable),
      );
    }
    if (answer) {
      if (method !== "POST") return refuse(405, "send JSON by POST", { Allow: "POST" });
      const answered = answerDevice(request, answer, { devices, guard: tokens, clock });
      return void answered.then(({ status, body }) => send(status, "application/json", JSON.stringify(body)));
    }
    if (page !== undefined && path === "/who" && method === "GET")
      return send(200, "application/json", JSON.stringify(letIn(request, options.visitor)));
    if (file === undefined) return refuse(404, "Not found. The wire is at /wire.");
    if (method !== "GET" && method !== "HEAD")
      return refuse(405, "Only GET and HEAD.", { Allow: "GET, HEAD" });
    const packed = takesGzip(request) ? file.packed() : undefined;
    const encoding = packed === undefined ? {} : { "Content-Encoding": "gzip" };
    const kept = HASHED.test(path) ? { "Cache-Control": "public, max-age=31536000, immutable" } : {};
    send(200, file.type, packed ?? file.body, { Vary: "Accept-Encoding", ...encoding, ...kept });
  };
}

/**
 * The person that a page is let in as without a token, and the role; empty for a page that needs a token (P-WHO-6). A
 * token is not looked at here, where nobody counts the wrong ones.
 */
function letIn(
  request: IncomingMessage,
  visitorOf: DoorOptions["visitor"],
): Pick<Visitor, "principal" | "role"> {
  const visitor = sentToken(request) === undefined ? visitorOf(request) : undefined;
  if (visitor === undefined || "refused" in visitor || visitor.principal === undefined) return {};
  return { principal: visitor.principal, role: visitor.role };
}

/** True for a browser that reads gzip: a page takes a third of the bytes so. */
const takesGzip = ({ headers }: IncomingMessage) =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(headers["accept-encoding"] ?? ""));
