// The client over WebSocket, in any runtime: `@askwire/client/websocket`.

import { closeCodes, defaultLimits, LocalError } from "@askwire/protocol";
import { openSocket } from "#open-socket";
import { type ClientSession, type ConnectOptions, connect } from "./session.js";
import { type SocketLike, socketChannel } from "./sockets/socket.js";

/** What {@link connectWebSocket} takes beside what every connection does. */
export interface WebSocketConnectOptions extends ConnectOptions {
  /** What the server wants to be shown (P-SEC-2). Default: the fragment of the address. */
  readonly token?: string;
}

/**
 * Connects to a session, or makes one.
 *
 * @param address `ws://host:port/wire/<id>#<token>` as a server prints it; `/wire` without an id makes a session.
 * @throws LocalError CONNECT_FAILED, with the next step; else as `connect`.
 */
export async function connectWebSocket(
  address: string,
  options: WebSocketConnectOptions = {},
): Promise<ClientSession> {
  const url = readAddress(address);
  const token = options.token ?? fragment(address, url);
  url.hash = "";
  const opened = openSocket(url.href, token, options.limits?.inboundBytes ?? defaultLimits.inboundBytes);
  let greeted = false;
  const channel = socketChannel(opened, (code, reason) => explainClose(code, reason, greeted));
  const session = await onceOpen(opened.socket, url, options.initializeTimeoutMs ?? 30_000, () =>
    connect(channel, opened.validate === undefined ? options : { validate: opened.validate, ...options }),
  );
  greeted = true;
  return session;
}

function readAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "ws:" || url?.protocol === "wss:") return url;
  throw notAnAddress(address);
}

/** Says what was given without its fragment, which may be a token. */
function notAnAddress(address: string): LocalError {
  const shown = JSON.stringify(address.replace(/#.*/s, "#…"));
  return new LocalError(
    "CONNECT_FAILED",
    `${shown} is no address: expected ws://host:port/wire/<id>#<token>, as the server prints it`,
  );
}

function fragment(address: string, url: URL): string | undefined {
  if (url.hash === "") return undefined;
  try {
    return decodeURIComponent(url.hash.slice(1));
  } catch {
    throw notAnAddress(address);
  }
}

/** Starts inside the event: what comes right after the greeting would find nobody a moment later. */
function onceOpen<T>(socket: SocketLike, url: URL, timeoutMs: number, start: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let why: string | undefined;
    const timer = setTimeout(() => {
      why = `no answer in ${timeoutMs} ms`;
      socket.close();
    }, timeoutMs);
    socket.addEventListener("open", () => {
      clearTimeout(timer);
      resolve(start());
    });
    socket.addEventListener("error", ({ message }) => {
      why ??= message;
    });
    socket.addEventListener("close", () => {
      clearTimeout(timer);
      const text = `could not connect to ${url.host}: ${why || "the connection failed"}; check the address and that the server runs`;
      reject(new LocalError("CONNECT_FAILED", text));
    });
  });
}

/** What each close code by which a server turns a client away means, with the next step. */
const refusals: Readonly<Record<number, string>> = {
  [closeCodes.Token]:
    "the server refused the token: use the address that it printed, with what follows the #",
  [closeCodes.Session]: "the server has no such session: use an address that it printed since it was started",
  [closeCodes.TooManyConnections]: "the server takes no more connections: close one, or raise its limit",
};

/** The same for the codes that end a conversation before its time. */
const breaks: Readonly<Record<number, string>> = {
  [closeCodes.Restart]: "the server is stopping; connect again when it runs, to the address that it prints",
  [closeCodes.TooSlow]: "this client read too slowly; connect again, and do less in its event handler",
  [closeCodes.Replaced]: "another connection of the same client took over; go on with that one",
};
/** What a socket reports that ended without a close. A server of another kind may do so before it has answered. */
const BROKEN = 1006;
const broken = "the connection broke; check that the server runs, and connect again";

function explainClose(code: number, reason: string, greeted: boolean): LocalError | undefined {
  const refusal = refusals[code];
  if (refusal !== undefined) return new LocalError("CONNECT_FAILED", refusal);
  if (greeted && code === closeCodes.Normal) return undefined;
  const closed = `the connection closed with code ${code}`;
  const known = breaks[code];
  if (!greeted) {
    const text =
      known === undefined
        ? `${closed} before the server answered: is it an Askwire server?`
        : `${closed}: ${known}`;
    return new LocalError("CONNECT_FAILED", text);
  }
  if (code === BROKEN) {
    return new LocalError("CLOSED", `${closed}${reason === "" ? "" : ` (${reason})`}: ${broken}`);
  }
  const said = known ?? reason;
  return new LocalError("CLOSED", said === "" ? closed : `${closed}: ${said}`);
}
