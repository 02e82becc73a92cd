import type { ClientSession, ConnectionChange, Delivery } from "@askwire/client";
import { closeCodeOf, connectWebSocket, type WebSocketConnectOptions } from "@askwire/client/websocket";
import { closeCodes, WireError } from "@askwire/protocol";
import { type Store, store } from "@askwire/react/cards";

/** The reason why a connection is over: each has its own next step. */
export type ConnectionEnd = "token" | "session" | "kept" | "replaced" | "ended" | "failed";

/** The current connection of the page. */
export type PageLink =
  | { readonly is: "connecting" }
  /** `isOther`: the server has another version than the page, which a reload mends. */
  | { readonly is: "connected"; readonly isOther: boolean }
  /** Tried again at `retryAt`, on the clock of `performance.now()`. */
  | { readonly is: "lost"; readonly retryAt: number; readonly why: string }
  | { readonly is: "closed"; readonly ending: ConnectionEnd; readonly why: string };

/** A connection that is opened again until it is over. */
export interface PageConnection extends Store<PageLink> {
  /** The session, once there was a connection. */
  session(): ClientSession | undefined;
  /** Everything that the person has sent and the server has not acknowledged. */
  readonly outbox: Store<readonly Delivery[]>;
  /** Tries at once instead of at the end of the wait, also where the server does not reply. */
  retry(): void;
  close(): void;
}

/** The longest wait between two attempts to open the first connection, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Connects to a session, and keeps trying where the server cannot be reached. The client opens a lost connection
 * again by itself, but not a first one.
 *
 * @param version the version of this page.
 * @param opened called once, with the first connection.
 */
export function pageConnection(
  address: string,
  options: WebSocketConnectOptions,
  version: string,
  opened: (session: ClientSession) => void,
): PageConnection {
  const { set, ...line } = store<PageLink>({ is: "connecting" });
  const { set: setOutbox, ...outbox } = store<readonly Delivery[]>([]);
  let session: ClientSession | undefined;
  let isClosed = false;
  let stopWaiting = () => {};

  const connected = ({ server }: ClientSession): PageLink => ({
    is: "connected",
    isOther: server !== undefined && server.server.version !== version,
  });
  const lost = (retryInMs: number, cause: unknown): PageLink => ({
    is: "lost",
    retryAt: performance.now() + retryInMs,
    why: cause instanceof Error ? cause.message : "",
  });

  function changed(change: ConnectionChange): void {
    options.onConnection?.(change);
    if (isClosed || session === undefined) return;
    if (change.state === "connected") set(connected(session));
    else if (change.state === "lost") set(lost(change.retryInMs, change.cause));
    else set(over(change.cause));
  }

  async function begin(): Promise<void> {
    for (let failures = 0; !isClosed; failures += 1) {
      try {
        const first = await connectWebSocket(address, { ...options, onConnection: changed });
        if (isClosed) return void first.close();
        session = first;
        first.outbox.subscribe(() => setOutbox(first.outbox.current()));
        opened(first);
        return set(connected(first));
      } catch (error) {
        if (isClosed) return;
        if (endingOf(error) !== undefined) return set(over(error));
        const ms = Math.min(1_000 * 2 ** failures, LONGEST_WAIT_MS);
        set(lost(ms, error));
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          stopWaiting = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  }

  void begin();
  return {
    ...{ ...line, outbox },
    session: () => session,
    retry() {
      stopWaiting();
      session?.reconnect();
    },
    close() {
      isClosed = true;
      stopWaiting();
      void session?.close();
    },
  };
}

function over(cause: unknown): PageLink {
  const ending = endingOf(cause) ?? (cause === undefined ? "ended" : "failed");
  return { is: "closed", ending, why: cause instanceof Error ? cause.message : "" };
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
