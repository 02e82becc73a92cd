"use client";

import type { ClientSession, ConnectionChange, Delivery } from "@askwire/client";
import { closeCodeOf, connectWebSocket, type WebSocketConnectOptions } from "@askwire/client/websocket";
import { closeCodes, LocalError, WireError } from "@askwire/protocol";
import { type Store, store } from "../hooks/store.js";

/**
 * The reason why a connection is over, each with its own next step: the server refused the `token`; it does not have the
 * `session`; it has `kept` the session, which nobody has open since its restart; another connection of this client
 * `replaced` this one; the session `ended`; or it `failed` otherwise.
 */
export type ConnectionEnd = "token" | "session" | "kept" | "replaced" | "ended" | "failed";

/** The state of a kept connection. */
export type ConnectionLink =
  | { readonly is: "connecting" }
  /** `isOther`: the server has another version than the page, which a reload mends. */
  | { readonly is: "connected"; readonly isOther: boolean }
  /** Tried again at `retryAt`, on the clock of `performance.now()`; `why` is foreign text, empty if nobody said why. */
  | { readonly is: "lost"; readonly retryAt: number; readonly why: string }
  | { readonly is: "closed"; readonly ending: ConnectionEnd; readonly why: string };

/** The options of {@link keepConnected}, with those of `connectWebSocket`. */
export interface KeepConnectedOptions extends WebSocketConnectOptions {
  /** The version that the server should have. Default: none is compared. */
  readonly version?: string;
  /** Called once, with the session of the first connection. Default: none. */
  readonly onSession?: (session: ClientSession) => void;
  /** Closes the connection when aborted, as {@link LastingConnection.close} does. Default: none. */
  readonly signal?: AbortSignal;
}

/** A connection that is opened again until it is over: a store of its state. */
export interface LastingConnection extends Store<ConnectionLink> {
  /** The session, once there was a connection. */
  session(): ClientSession | undefined;
  /** Everything that the person has sent and the server has not acknowledged. */
  readonly outbox: Store<readonly Delivery[]>;
  /** Tries at once instead of at the end of the wait, also where the server does not reply. */
  retry(): void;
  /** Closes the connection for good, or gives up to open it. */
  close(): void;
}

/** The longest wait between two attempts to open the first connection, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Connects to a session, and keeps trying where the server cannot be reached. The client opens a lost connection again
 * by itself, but not a first one. It never throws: its state says what is amiss.
 *
 * @param address that of the session, as `connectWebSocket` takes it.
 */
export function keepConnected(address: string, options: KeepConnectedOptions = {}): LastingConnection {
  const { version, onSession, signal, ...connecting } = options;
  const { set, ...line } = store<ConnectionLink>({ is: "connecting" });
  const { set: setOutbox, ...outbox } = store<readonly Delivery[]>([]);
  const end = new AbortController();
  let session: ClientSession | undefined;
  let tryNow = () => {};

  const connected = ({ server }: ClientSession): ConnectionLink => ({
    is: "connected",
    isOther: version !== undefined && server !== undefined && server.server.version !== version,
  });
  const lost = (retryInMs: number, cause: unknown): ConnectionLink => ({
    is: "lost",
    retryAt: performance.now() + retryInMs,
    why: messageIn(cause),
  });

  function changed(change: ConnectionChange): void {
    options.onConnection?.(change);
    if (end.signal.aborted || session === undefined) return;
    if (change.state === "connected") set(connected(session));
    else if (change.state === "lost") set(lost(change.retryInMs, change.cause));
    else set(over(change.cause));
  }

  async function begin(): Promise<void> {
    for (let failures = 0; !end.signal.aborted; failures += 1) {
      try {
        const own = { onConnection: changed, signal: end.signal };
        const first = await connectWebSocket(address, { ...connecting, ...own });
        if (end.signal.aborted) return void first.close();
        session = first;
        first.outbox.subscribe(() => setOutbox(first.outbox.current()));
        onSession?.(first);
        return set(connected(first));
      } catch (error) {
        if (end.signal.aborted) return;
        if (isFinal(error) || !isAddress(address)) return set(over(error));
        const ms = Math.min(1_000 * 2 ** failures, LONGEST_WAIT_MS);
        set(lost(ms, error));
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          tryNow = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  }

  function close(): void {
    end.abort();
    tryNow();
    void session?.close();
  }

  if (signal?.aborted) close();
  signal?.addEventListener("abort", close, { once: true });
  void begin();
  return {
    ...{ ...line, outbox, close },
    session: () => session,
    retry() {
      tryNow();
      session?.reconnect();
    },
  };
}

const messageIn = (cause: unknown): string => (cause instanceof Error ? cause.message : "");

const isAddress = (text: string): boolean => /^wss?:/i.test(text) && URL.canParse(text);

/** True for an error of a first attempt after which another would come to the same. */
const isFinal = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof LocalError && error.code === "BAD_MESSAGE") ||
  endingOf(error) !== undefined;

function over(cause: unknown): ConnectionLink {
  const ending = endingOf(cause) ?? (cause === undefined ? "ended" : "failed");
  return { is: "closed", ending, why: messageIn(cause) };
}

/** The ending that an error means; undefined for one after which the connection is tried again. */
function endingOf(error: unknown): ConnectionEnd | undefined {
  const refusal = [error, error instanceof Error ? error.cause : undefined].find(
    (one) => one instanceof WireError,
  );
  if (refusal?.is("UnknownRequest")) {
    const { kept } = Object(refusal.data) as { readonly kept?: unknown };
    return kept === true ? "kept" : "session";
  }
  if (refusal?.is("SessionMismatch")) return "session";
  switch (closeCodeOf(error)) {
    case closeCodes.Token:
      return "token";
    case closeCodes.Session:
      return "session";
    case closeCodes.Replaced:
      return "replaced";
    default:
      return undefined;
  }
}
