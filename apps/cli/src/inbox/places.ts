import type { ClientSession } from "@askwire/client";
import { runningGateway } from "@askwire/client/gateway";
import { closeCodeOf, connectWebSocket } from "@askwire/client/websocket";
import { closeCodes, LocalError } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { forgetServer, registeredServers } from "../gateway/registered-servers.js";
import { lobbyAddress, sessionAt } from "../input/addresses.js";
import { openedList } from "./opened-list.js";
import type { Place } from "./waiting.js";

/** The name of this client for servers. */
export const CLIENT = { name: "askwire-inbox" };

/** The time for a server to answer, in milliseconds. */
const ANSWER_MS = 10_000;

interface ServerPlace {
  readonly key: string;
  readonly name: string;
  readonly address: string;
  readonly token?: string | undefined;
  /** Set to list also what waits in sessions that the server has kept. */
  readonly kept: boolean;
  /** Called where no server of this token listens there. */
  readonly gone?: () => void;
}

/** A server, which is asked by a connection that is in no session (P-XLB-1). */
export function serverPlace({ key, name, address, token, kept, gone }: ServerPlace): Place {
  /** The connection of the list, by which requests are taken. */
  let here: ClientSession | undefined;
  return {
    key,
    name,
    async open(signal) {
      try {
        const session = await connectWebSocket(lobbyAddress(address), {
          ...{ client: CLIENT, lobby: true, reconnect: false, initializeTimeoutMs: ANSWER_MS, signal },
          ...defined({ token }),
        });
        here = session;
        return await openedList(session, { kept });
      } catch (error) {
        if (isGone(error)) gone?.();
        throw error;
      }
    },
    reach: async ({ session_id }) => ({ address: sessionAt(address, session_id), ...defined({ token }) }),
    async claim({ request_id, session_id, state }, takes) {
      const request = { request_id, session_id };
      if (here?.server?.capabilities?.askwire?.claims !== true)
        throw new Error("the server's version knows no taking: open it instead");
      if (state === "kept") throw new Error("its session is stored: open it instead");
      if (takes) await here.claim(request);
      else await here.unclaim(request);
    },
  };
}

const isGone = (error: unknown): boolean =>
  closeCodeOf(error) === closeCodes.Token || (error instanceof LocalError && isRefused(error.cause));

/** Reports if the system says that nobody listens. An address with several ways has an error for each. */
const isRefused = (cause: unknown): boolean =>
  cause instanceof AggregateError
    ? cause.errors.length > 0 && cause.errors.every(isRefused)
    : cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";

/**
 * The servers of this person on this machine: those that wrote themselves down, and the gateway that runs. One that
 * nobody listens for is forgotten.
 *
 * @param home the folder of the person's kept sessions.
 * @param gatewayName the name of the gateway for the person.
 */
export function machinePlaces(home: string, gatewayName: string): Place[] {
  const places = registeredServers(home).map(({ file, name, address }) =>
    serverPlace({ key: file, name, address, kept: false, gone: () => forgetServer(file) }),
  );
  const gateway = runningGateway(home);
  if (gateway !== undefined) {
    const { pid, address } = gateway;
    places.push(serverPlace({ key: `gateway ${pid} ${address}`, name: gatewayName, address, kept: false }));
  }
  return places;
}
