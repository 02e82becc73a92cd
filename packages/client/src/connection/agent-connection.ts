import {
  bindPeer,
  events,
  extendedOffer,
  type Handlers,
  type HeardAttached,
  type HeardClientMethods,
  type HeardIntroduction,
  heardAgentMethods,
  heardClientMethods,
  type Limits,
  LocalError,
  type MessageChannel,
  type Validate,
} from "@askwire/protocol";
import { moreThan, Room, unitsOf } from "@askwire/protocol/internal";
import type { AgentPeer, MessageReceiver } from "../contract/conversation.js";
import type { Timing } from "../runtime/timing.js";
import { type Hello, introduce } from "./handshake.js";

/** The messages that may wait until this client has read the server's introduction, and the UTF-16 units of all. */
const MOST_EARLY = { count: 65_536, units: 64 * 1_048_576 };

export interface AgentConnectionOptions {
  readonly channel: MessageChannel;
  /** The introduction of this client. */
  readonly hello: Hello;
  /** The receiver of messages in the base profile, and until the profile is known. */
  readonly base: MessageReceiver;
  readonly validate: Validate;
  readonly limits?: Partial<Limits>;
  readonly initializeTimeoutMs: number;
  readonly timing: Timing;
  readonly report: (problem: string) => void;
  /** Gives up a connection that is not introduced yet. Default: never. */
  readonly stop: AbortSignal | undefined;
}

/** An introduced connection to an agent. */
export interface AgentConnection {
  readonly peer: AgentPeer;
  /** The server's introduction. Undefined for a server older than `initialize`. */
  readonly server: HeardIntroduction | undefined;
  /** The session that this client is attached to, in the extended profile only, and not in the lobby. */
  readonly attached: HeardAttached | undefined;
  /** Sends messages to the conversation from now on, beginning with those that have come already. */
  begin(conversation: MessageReceiver): void;
  /** Resolves when the connection is closed, with the cause if there was one. */
  readonly closed: Promise<Error | undefined>;
  close(code?: number): void;
}

/**
 * Opens a connection over a channel.
 * Messages that only the extended profile has wait until {@link AgentConnection.begin}: they may come before this
 * client has read the introduction.
 *
 * @throws as `introduce`, and LocalError BAD_PEER for a server that negotiates the extended profile without a
 * session.
 */
export async function openAgentConnection(options: AgentConnectionOptions): Promise<AgentConnection> {
  const { base, hello, report, stop } = options;
  let receiver: MessageReceiver = base;
  let early: ((to: MessageReceiver) => void)[] | undefined =
    hello.capabilities?.askwire == null ? undefined : [];
  const room = new Room(MOST_EARLY);

  function later(message: unknown, action: (to: MessageReceiver) => void): void {
    if (room.take(unitsOf(message))) return void early?.push(action);
    report(`${moreThan(MOST_EARLY, "messages")} came before the answer to initialize`);
    peer.close();
  }

  const handlers: Handlers<HeardClientMethods> = {
    event: (event, marks) => {
      if (early === undefined) return receiver.event(event, marks);
      const { type } = event.type === "unrecognized" ? event.payload : event;
      const isMarked = marks.seq !== undefined || marks.replayed === true;
      // A request that is open already comes without a number, and so does who answers it or has taken it.
      const isExtended = isMarked || !Object.hasOwn(events, type);
      if (isExtended) later(event, (to) => to.event(event, marks));
      else receiver.event(event, marks);
    },
    request: (request, call, marks) => {
      // Only a server of the extended profile gives a request an id of its own (P-XTH-1).
      const isExtended = marks.seq !== undefined || Object.hasOwn(request.payload, "request_id");
      if (early === undefined || !isExtended) return receiver.request(request, call, marks);
      return new Promise((resolve) => {
        later(request, (to) => resolve(attempt(() => to.request(request, call, marks))));
      });
    },
    alive: (sign) => receiver.alive?.(sign),
    call_output: (output) => receiver.callOutput?.(output),
    sessions_changed: ({ sessions, closed }) => receiver.watched?.sessions.changed(sessions, closed),
    requests_changed: ({ requests, gone }) => receiver.watched?.requests.changed(requests, gone),
  };
  const peer = bindPeer({
    channel: options.channel,
    local: heardClientMethods,
    remote: heardAgentMethods,
    handlers,
    validate: options.validate,
    onProblem: report,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const giveUp = () => peer.close();
  stop?.addEventListener("abort", giveUp);
  const server = await introduce(peer, hello, options).finally(() =>
    stop?.removeEventListener("abort", giveUp),
  );
  const extended = early !== undefined && extendedOffer(server?.capabilities?.askwire) !== undefined;
  const attached = extended ? server?.session : undefined;
  if (extended && attached === undefined && server?.lobby === undefined) {
    peer.close();
    throw new LocalError("BAD_PEER", 'malformed result of "initialize": session: expected object');
  }
  return {
    peer,
    server,
    attached,
    closed: peer.closed,
    close: (code) => peer.close(code),
    begin(to) {
      receiver = to;
      const came = early ?? [];
      early = undefined;
      for (const tell of came) if (!peer.isClosed) tell(to);
    },
  };
}

/** Runs an action. An exception becomes a rejection. */
const attempt = async <T>(action: () => T | Promise<T>): Promise<T> => await action();
