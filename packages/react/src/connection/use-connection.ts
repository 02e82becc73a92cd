"use client";

import type { ClientSession, Delivery } from "@askwire/client";
import { useEffect, useRef, useState } from "react";
import type { Store } from "../hooks/store.js";
import { useStore } from "../hooks/use-store.js";
import {
  type ConnectionLink,
  type KeepConnectedOptions,
  keepConnected,
  type LastingConnection,
} from "./keep-connected.js";

/** A connection as a component sees it: the session, and the props of a `ConnectionLine`. */
export interface UsedConnection {
  /** The session, once there was a connection. */
  readonly session: ClientSession | undefined;
  readonly link: ConnectionLink;
  /** Everything that the person has sent and the server has not acknowledged. */
  readonly outbox: readonly Delivery[];
  /** Tries at once instead of at the end of the wait. */
  onRetry(): void;
}

const always = <T>(value: T): Store<T> => ({ current: () => value, subscribe: () => () => {} });
const connecting = always<ConnectionLink>({ is: "connecting" });
const nothing = always<readonly Delivery[]>([]);

/**
 * Keeps a connection to a session while the component is there, by `keepConnected`, and renders again with each change
 * of its state. It connects in an effect, so on a server it is `connecting`, and a component that goes closes it, also
 * while it is being opened: the double mount of StrictMode leaves one connection.
 *
 * @param address that of the session. Another one closes the connection, and begins another.
 * @param options read when a connection begins; only `session` and `openKept` begin another when they change.
 */
export function useConnection(address: string, options: KeepConnectedOptions = {}): UsedConnection {
  const [connection, setConnection] = useState<LastingConnection>();
  const given = useRef(options);
  useEffect(() => {
    given.current = options;
  });
  const { session, openKept } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two of the options lead to another place
  useEffect(() => {
    const kept = keepConnected(address, given.current);
    setConnection(kept);
    return () => {
      kept.close();
      setConnection(undefined);
    };
  }, [address, session, openKept]);
  const link = useStore(connection ?? connecting);
  const outbox = useStore(connection?.outbox ?? nothing);
  return {
    ...{ link, outbox, session: connection?.session() },
    onRetry: () => connection?.retry(),
  };
}
