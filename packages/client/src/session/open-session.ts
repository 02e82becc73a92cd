import {
  closeCodes,
  LocalError,
  type MessageChannel,
  validate as validateAnywhere,
  WireError,
} from "@askwire/protocol";
import { errorText, isThenable } from "@askwire/protocol/internal";
import { baseConversation } from "../base/base-conversation.js";
import { type AgentConnection, openAgentConnection } from "../connection/agent-connection.js";
import { helloOf, optionsProblem, reportOffers } from "../connection/handshake.js";
import { FinalError, KeptConnection, watchSilence } from "../connection/reconnect.js";
import type { ProfileConversation } from "../contract/conversation.js";
import { Deliveries } from "../contract/deliveries.js";
import { Observer } from "../contract/observer.js";
import { Offered } from "../contract/offered.js";
import type {
  ClientSession,
  ConnectionChange,
  ConnectOptions,
  Dial,
  DialedChannel,
} from "../contract/session.js";
import { ExtendedConversation } from "../extended/extended-conversation.js";
import { systemTiming, type Timing, within } from "../runtime/timing.js";
import { uuid } from "../runtime/uuid.js";
import { OpenedSession } from "./opened-session.js";
import { SaidWords } from "./said-words.js";

/**
 * Makes a session: a lasting conversation, and its connection.
 *
 * @param redials set if a lost connection is opened again by the function `to`.
 */
export async function openSession(
  to: DialedChannel | Dial<DialedChannel>,
  redials: boolean,
  given: ConnectOptions,
): Promise<ClientSession> {
  // The session may declare other tools and hooks later.
  const options = { ...given };
  const offered = new Offered(options);
  const { validate = validateAnywhere, timing = systemTiming, initializeTimeoutMs = 30_000 } = options;
  const problem = optionsProblem(options);
  if (problem !== undefined) {
    if (typeof to !== "function") to.close();
    throw new LocalError("BAD_MESSAGE", problem);
  }
  const clientId = options.profile === "base" ? undefined : (options.clientId ?? uuid());
  /** Reports a problem. A log that fails has no other log to tell. */
  const report = (problem: string) => {
    try {
      options.onProblem?.(problem);
    } catch {}
  };
  const deliveries = new Deliveries(timing);
  const said = new SaidWords(deliveries);
  const observer = new Observer(options.handlers ?? {}, report, (event) => said.heard(event));
  const base = baseConversation(options, offered, validate, observer, report);
  /** Made with the first connection that has the extended profile. */
  let extended: ExtendedConversation | undefined;
  let conversation: ProfileConversation = base;
  const kept = new KeptConnection({
    open,
    opened,
    isKept: () => redials && extended !== undefined,
    lost(cause, retryInMs) {
      extended?.lost();
      deliveries.lost();
      changed({ state: "lost", cause, retryInMs });
    },
    ended(cause) {
      conversation.ended(cause);
      deliveries.close(cause);
      changed({ state: "closed", ...(cause !== undefined && { cause }) });
    },
    timing,
  });

  async function open(stop?: AbortSignal): Promise<AgentConnection> {
    const channel = typeof to === "function" ? await dial(to, stop, timing, initializeTimeoutMs) : to;
    const place =
      extended?.place ??
      (options.session === undefined
        ? undefined
        : {
            id: options.session,
            ...(options.openKept === true && { open: true }),
          });
    const connection = await openAgentConnection({
      channel: redials && clientId !== undefined ? watchSilence(channel, timing, silent) : channel,
      hello: helloOf(options, offered, clientId, clientId === undefined ? undefined : place),
      base,
      validate,
      limits: options.limits,
      initializeTimeoutMs,
      timing,
      report,
      stop,
    }).catch((error) => {
      throw extended === undefined ? error : readRefusal(error);
    });
    const { attached } = connection;
    if (clientId !== undefined && place !== undefined && attached?.id !== place.id) {
      connection.close();
      const where = attached === undefined ? "it has no extended profile" : `it attached to ${attached.id}`;
      throw new FinalError("BAD_PEER", `the server does not go on with session ${place.id}: ${where}`);
    }
    channel.introduced?.();
    return connection;
  }

  function opened({ peer, server, attached, begin }: AgentConnection): void {
    if (extended === undefined) reportOffers(server, options, report);
    if (attached === undefined) {
      base.introduced(peer, server);
      begin(base);
      deliveries.connected(false);
      return changed({ state: "connected", reset: false });
    }
    extended ??= new ExtendedConversation({
      options,
      offered,
      validate,
      observer,
      deliveries,
      timing,
      report,
      reopen,
      silent,
      works: () => kept.works(),
    });
    conversation = extended;
    const mayUse = server?.capabilities?.askwire;
    const reset = extended.attached(peer, attached, mayUse ?? undefined);
    changed({ state: "connected", reset });
    begin(extended);
    deliveries.connected(true);
    extended.resume();
  }

  /** Opens the connection anew and returns true. A channel that was given open cannot be opened again. */
  function reopen(why: string): boolean {
    report(`out of step with the server: ${why}`);
    return kept.reopen(new LocalError("CLOSED", why), closeCodes.Replaced);
  }

  function silent(): void {
    kept.reopen(new LocalError("CLOSED", "nothing was heard from the server"), closeCodes.Replaced);
  }

  function changed(change: ConnectionChange): void {
    try {
      options.onConnection?.(change);
    } catch (error) {
      report(`connection handler: ${change.state}: ${errorText(error)}`);
    }
  }

  await kept.open();
  return new OpenedSession({
    kept,
    observer,
    conversation: () => conversation,
    id: () => extended?.place?.id,
    said,
    reconnect() {
      const why = new LocalError("CLOSED", "the server has said no word on what was sent");
      if (deliveries.isUndelivered && kept.reopen(why, closeCodes.Replaced)) return;
      kept.retry();
    },
    declare: (offers, tell) => offered.change(offers, (all) => tell(helloOf(all, offered, clientId))),
  });
}

/** Opens a channel in time. A channel that comes too late is closed. */
async function dial<T extends MessageChannel>(
  open: Dial<T>,
  stop: AbortSignal | undefined,
  timing: Timing,
  ms: number,
): Promise<T> {
  const patience = new AbortController();
  const dialed = open(patience.signal);
  if (!isThenable(dialed)) return dialed;
  let stopped = () => {};
  const closed = new Promise<never>((_resolve, reject) => {
    stopped = () => reject(new LocalError("CLOSED", "the session was closed"));
    stop?.addEventListener("abort", stopped);
  });
  try {
    const late = () => new LocalError("TIMEOUT", `the connection was not opened in ${ms} ms`);
    return await within(timing, ms, Promise.race([dialed, closed]), late);
  } catch (error) {
    patience.abort();
    dialed.then(
      (channel) => channel.close(),
      () => {},
    );
    throw error;
  } finally {
    stop?.removeEventListener("abort", stopped);
  }
}

/** Explains a refusal. A lost session does not come back. */
function readRefusal(error: unknown): unknown {
  if (!(error instanceof WireError)) return error;
  if (!error.is("UnknownRequest") && !error.is("SessionMismatch")) return error;
  const text = `the server does not have the session any more: ${error.message}`;
  return new FinalError("CONNECT_FAILED", text, { cause: error });
}
