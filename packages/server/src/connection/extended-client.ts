import { type AskwireCapabilities, closeCodes } from "@askwire/protocol";
import { everything } from "../profiles/extended-profile.js";
import type { AllowedFeatures } from "../requests/shows.js";
import { CatchUp } from "./catch-up.js";
import { ClientRequests } from "./client-requests.js";
import type { ClientSide, ConnectionParts } from "./client-side.js";
import { extendedMethods } from "./extended-methods.js";
import type { SessionMethods } from "./session-methods.js";
import { type SessionWatch, sessionWatch } from "./session-watch.js";
import { ServerSignsOfLife } from "./signs-of-life.js";

/** The features that this server may use, if a client shows them, and those that it has (P-XNG-2). */
const serverCapabilities: AskwireCapabilities = {
  ...everything,
  presence: true,
  do_not_ask: true,
  history: true,
  ask: true,
  alive: true,
};

/**
 * Speaks to a client in the extended profile.
 *
 * @param declared the capabilities that it declared.
 */
export function extendedClient(line: ConnectionParts, declared: AskwireCapabilities): ClientSide {
  const { session, peer, clock, connection, grant, sessions, client } = line;
  const shows = grant.shown(declared);
  const id = recipientIdOf(line, shows);
  // The transport reports its end by itself where a session ends with its connection.
  const isMutual = shows.alive === true && !line.endsSession;
  const signs = new ServerSignsOfLife({
    clock,
    isMutual,
    bytesRead: line.bytesRead,
    awaits: () => peer.traffic.awaits || session.pending.some(requests.isAsked),
    tell() {
      // Towards a client that reads slowly the feed is a sign of life, and one that replies is asked nevertheless.
      if (catchUp.isLive || isMutual) peer.notify("alive", { seq: catchUp.reached });
    },
    silent: () => peer.close(closeCodes.Silent, "the client says nothing any more: reconnect"),
  });
  function pass(text: string): number {
    signs.sent();
    peer.pass(text);
    return text.length;
  }
  const given = { line, recipientId: id, pass };
  const requests = new ClientRequests({ ...given, shows, sent: () => signs.sent() });
  const catchUp = new CatchUp({ ...given, wantsPast: shows.history === true, requests });
  /** Made when the client first watches. */
  let watch: SessionWatch | undefined;
  /** Called at the end of the connection; made with the first that is to be. */
  let leaving: Set<() => void> | undefined;

  return {
    id,
    // A client that has its own id may come back on another connection (P-XAT-1).
    returns: shows.client_id !== undefined,
    namesSession: true,
    methods: extendedMethods({
      ...{ answers: session.answers, reply: (call, read) => catchUp.reply(call, read) },
      setDoNotAsk: (enabled) => session.setDoNotAsk(enabled, client()),
      asks: () => session.asks,
      atEnd(leave) {
        leaving ??= new Set();
        leaving.add(leave);
        return () => leaving?.delete(leave);
      },
      answerer: () => ({ recipientId: id, client: client(), shows, may: grant.may }),
      sessions,
      watch(watched) {
        watch ??= watchFor(line, watched);
        return watch;
      },
      alive() {
        signs.heard();
        const { sent, received } = peer.traffic;
        peer.notify("alive", { seq: catchUp.reached, sent, received: received - 1 });
      },
      clock,
    }),
    declared: (capabilities) => ({ ...capabilities, askwire: shows }),
    turnId: (given) => given,
    showsDeadlines: () => shows.deadline === true,
    tellsPresence: () => shows.presence === true,
    name: client,
    introduced({ session: left }) {
      const reset = catchUp.attach(left);
      const { role, permissions } = grant;
      return {
        capabilities: {
          supports_question: true,
          askwire: sessions === undefined ? serverCapabilities : { ...serverCapabilities, watch: true },
        },
        session: {
          ...session.found(reset),
          connection,
          ...(role !== undefined && { role, permissions: [...permissions] }),
          ...(catchUp.tellsHistory && { history: true }),
        },
      };
    },
    start() {
      if (catchUp.start()) signs.start();
    },
    stop() {
      catchUp.stop();
      watch?.stop();
      for (const leave of leaving ?? []) leave();
      leaving = undefined;
      signs.stop();
    },
    show: (request) => catchUp.opened(request),
    showOpen: (request) => catchUp.showOpen(request),
    settled: (request) => requests.settled(request),
    // Events reach the client by the session's log.
    tell() {},
    tellsHistory: () => catchUp.tellsHistory,
    replayTarget: () => catchUp.replayTarget(),
    get seam() {
      return catchUp.seam;
    },
  };
}

/** A client for answering takes over nothing of a client that may do more (P-XRL-5). */
function recipientIdOf({ connection, grant }: ConnectionParts, { client_id }: AllowedFeatures): string {
  return client_id === undefined ? connection : `${grant.role ?? "client"}:${client_id.toLowerCase()}`;
}

/** The watch of a client over the sessions of its server. */
const watchFor = (
  { connection, peer, log, drained, clock }: ConnectionParts,
  sessions: SessionMethods,
): SessionWatch =>
  sessionWatch({
    sessions,
    tell(changed, closed) {
      try {
        peer.notify("sessions_changed", { sessions: changed, closed });
      } catch (err) {
        // A list over the limit of a message must not end the process.
        log.error({ connection, err }, "changed sessions could not be told");
      }
    },
    drained,
    clock,
  });
