import { closeCodes, defaultLimits, LocalError } from "@askwire/protocol";
import { openSocket } from "#open-socket";
import { FinalError } from "../connection/reconnect.js";
import type { Dial, DialedChannel, WebSocketConnectOptions } from "../contract/session.js";
import { systemTiming, type Timing } from "../runtime/timing.js";
import { type SocketLike, socketChannel } from "../sockets/socket.js";

/**
 * Makes what opens a WebSocket to an address, as a channel that explains its end.
 *
 * @throws LocalError CONNECT_FAILED for what is no address.
 */
export function webSocketDial(
  address: string,
  options: Pick<WebSocketConnectOptions, "token" | "initializeTimeoutMs" | "timing" | "limits">,
): Dial<DialedChannel> {
  const url = readAddress(address);
  const token = options.token ?? fragment(address, url);
  url.hash = "";
  const { initializeTimeoutMs = 30_000, timing = systemTiming, limits } = options;
  return (signal) => {
    const opened = openSocket(url.href, token, limits?.inboundBytes ?? defaultLimits.inboundBytes);
    let greeted = false;
    const channel = socketChannel(opened, (code, reason) => explainClose(code, reason, greeted));
    const introduced = () => {
      greeted = true;
    };
    const { socket } = opened;
    return onceOpen(socket, url, initializeTimeoutMs, timing, signal).then(() => ({
      ...channel,
      introduced,
    }));
  };
}

function readAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "ws:" || url?.protocol === "wss:") return url;
  throw notAnAddress(address);
}

/** Quotes an invalid address without its fragment, which may be a token. */
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

function onceOpen(
  socket: SocketLike,
  url: URL,
  timeoutMs: number,
  timing: Timing,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (why: string, cause?: unknown) => {
      const text = `could not connect to ${url.host}: ${why}; check the address and that the server runs`;
      reject(new LocalError("CONNECT_FAILED", text, { cause }));
    };
    const forget = timing.after(timeoutMs, () => {
      failed(`no answer in ${timeoutMs} ms`);
      socket.close();
    });
    signal.addEventListener("abort", () => {
      forget();
      socket.close();
    });
    let heard: { readonly message?: string; readonly error?: unknown } | undefined;
    socket.addEventListener("open", () => {
      forget();
      resolve();
    });
    socket.addEventListener("error", (event) => {
      heard ??= event;
    });
    socket.addEventListener("close", () => {
      forget();
      failed(heard?.message || "the connection failed", heard?.error);
    });
  });
}

/** The close of a socket, as the cause of an error. */
class SocketClose extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`closed with code ${code}`);
    this.code = code;
  }
}

/**
 * The code with which the server closed the connection (P-ERR-2), of an error of `connectWebSocket` or of a
 * closed session. Undefined for an error of another cause.
 */
export const closeCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && error.cause instanceof SocketClose ? error.cause.code : undefined;

/** The meanings of the close codes that turn a client away, each with the next step. */
const refusals: Readonly<Record<number, string>> = {
  [closeCodes.Token]:
    "the server refused the token: use the address that it printed, with what follows the #",
  [closeCodes.Session]: "the server has no such session: use an address of its last start",
  [closeCodes.TooManyConnections]: "the server takes no more connections: close one, or raise its limit",
};

/** The meanings of the close codes that end a conversation early. */
const breaks: Readonly<Record<number, string>> = {
  [closeCodes.Restart]: "the server is stopping; connect again when it runs, to the address that it prints",
  [closeCodes.TryAgain]: "the server cannot take it now; connect again, and send it later",
  [closeCodes.TooSlow]: "this client read too slowly; connect again, and do less in its event handler",
  [closeCodes.Replaced]: "another connection of the same client took over; go on with that one",
};
/** The code for a socket that ended without a close. A foreign server may end this way before its answer. */
const BROKEN = 1006;
const broken = "the connection broke; check that the server runs, and connect again";

/** The close codes after which no connection is opened again (P-XCL-2). */
const final: readonly number[] = [
  closeCodes.Normal,
  closeCodes.Token,
  closeCodes.Session,
  closeCodes.Replaced,
];

function explainClose(code: number, reason: string, greeted: boolean): LocalError | undefined {
  if (greeted && code === closeCodes.Normal) return undefined;
  const { kind, text } = describeClose(code, reason, greeted);
  const cause = new SocketClose(code);
  return final.includes(code) ? new FinalError(kind, text, { cause }) : new LocalError(kind, text, { cause });
}

function describeClose(code: number, reason: string, greeted: boolean) {
  const refusal = refusals[code];
  if (refusal !== undefined) return { kind: "REFUSED", text: refusal } as const;
  const closed = `the connection closed with code ${code}`;
  const known = breaks[code];
  if (!greeted) {
    const text =
      known === undefined
        ? `${closed} before the server answered: is it an Askwire server?`
        : `${closed}: ${known}`;
    return { kind: "CONNECT_FAILED", text } as const;
  }
  if (code === BROKEN) {
    return { kind: "CLOSED", text: `${closed}${reason === "" ? "" : ` (${reason})`}: ${broken}` } as const;
  }
  const said = known ?? reason;
  return { kind: "CLOSED", text: said === "" ? closed : `${closed}: ${said}` } as const;
}
