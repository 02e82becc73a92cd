import { type AskwireCapabilities, closeCodes } from "@askwire/protocol";
import { errorText, eventText } from "@askwire/protocol/internal";
import type { Place } from "../journal/appender.js";
import { everything, extendedProfile } from "../profiles/extended-profile.js";
import { type AnyInteraction, isForClient, type PersonRequest } from "../requests/core.js";
import type { LogEntry } from "../session/event-log.js";
import type { Opening } from "../session/opening.js";
import type { Past } from "../session/past.js";
import { type ClientSide, DRAINED_BYTES, type Line } from "./client-side.js";
import { EventFeed } from "./event-feed.js";
import { extendedMethods } from "./extended-methods.js";
import { extendedReplay } from "./extended-replay.js";
import { HISTORY_BURST, tellHistory } from "./history.js";
import { paced } from "./pace.js";
import { putRequests } from "./put-requests.js";
import type { SessionMethods } from "./session-methods.js";
import { type SessionWatch, sessionWatch } from "./session-watch.js";
import { SignsOfLife } from "./signs-of-life.js";

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
export function extendedClient(line: Line, declared: AskwireCapabilities): ClientSide {
  const { session, peer, clock, log, connection, grant } = line;
  const { role } = grant;
  const shows = grant.shown(declared);
  const { eventLog } = session;
  // A client for answering takes over nothing of a client that may do more (P-XRL-5).
  const id =
    shows.client_id === undefined ? connection : `${role ?? "client"}:${shows.client_id.toLowerCase()}`;
  const requests = putRequests({ ...line, recipientId: id, profile: extendedProfile });
  const { sessions } = line;
  /** Made when the client first watches. */
  let watch: SessionWatch | undefined;
  const watchOf = (watched: SessionMethods): SessionWatch =>
    sessionWatch({
      sessions: watched,
      tell(changed, closed) {
        try {
          peer.notify("sessions_changed", { sessions: changed, closed });
        } catch (err) {
          // A list over the limit of a message must not end the process.
          log.error({ connection, err }, "changed sessions could not be told");
        }
      },
      drained: line.drained,
      clock,
    });
  /** The requests to show once the client has all missed events. */
  let held: AnyInteraction[] = [];
  let after = 0;
  /** True for a client that goes on where it left off. */
  let resumed = false;
  let started = false;
  /** True once the client is sent numbered events. */
  let fed = false;
  /** The conversation so far, until it is sent. */
  let past: Past | undefined;
  /** The end of the journal at the attach. */
  let seam: Place | undefined;
  /** Made with the conversation so far. */
  let stopHistory: AbortController | undefined;
  /** Called at the end of the connection; made with the first that is to be. */
  let leaving: Set<() => void> | undefined;

  // The transport reports its end by itself where a session ends with its connection.
  const isMutual = shows.alive === true && !line.endsSession;
  const signs = new SignsOfLife({
    clock,
    isMutual,
    bytesRead: line.bytesRead,
    awaits: () => peer.traffic.awaits || session.pending.some(isAsked),
    tell() {
      // Towards a client that reads slowly the feed is a sign of life, and one that replies is asked nevertheless.
      if (feed.isLive || isMutual) peer.notify("alive", { seq: reached() });
    },
    silent: () => peer.close(closeCodes.Silent, "the client says nothing any more: reconnect"),
  });
  const feed = new EventFeed({
    log: eventLog,
    send,
    drained: line.drained,
    onLive() {
      const shown = held;
      held = [];
      for (const request of shown) again(request);
    },
    onLate() {
      log.warn({ connection }, "the client fell behind what is kept of the events");
      peer.close(closeCodes.TooSlow, "too slow: reconnect");
    },
  });

  /** The number of the last event that this client was sent. */
  const reached = () => (fed ? feed.sent : after);

  function pass(text: string): number {
    signs.sent();
    peer.pass(text);
    return text.length;
  }

  /** Sends the conversation so far, then what is open, then the numbered events. */
  async function beginWith(told: Past): Promise<void> {
    stopHistory = new AbortController();
    const at = paceOf(HISTORY_BURST);
    try {
      if (!(await tellHistory({ ...told, ...at, signal: stopHistory.signal }))) return;
    } catch (err) {
      log.error({ connection, err }, "the history could not be told");
      return peer.close(closeCodes.Internal, "the history could not be told");
    }
    past = undefined;
    const persons = held.filter((request) => !isForClient(request));
    held = held.filter(isForClient);
    for (const request of persons) again(request);
    begin();
  }

  function begin(): void {
    fed = true;
    feed.start(after);
  }

  function send(entry: LogEntry, isLive: boolean): number {
    if (typeof entry === "string") return pass(entry);
    const { request } = entry;
    if (request === undefined || !isAsked(request)) return pass(entry.short());
    if (!isForClient(request)) return pass(whole(entry, request) ?? entry.short());
    signs.sent();
    return isLive && requests.put(request, entry.marks) ? 0 : pass(entry.short());
  }

  /** True while the core has this client among those that have the request before them. */
  const isAsked = (request: AnyInteraction) => !("code" in session.core.find(request.id, id));

  function whole(opening: Opening, request: PersonRequest): string | undefined {
    const text = attempt(request, () => opening.whole(request, shows));
    if (text !== undefined) opening.tell(id);
    return text;
  }

  /** A request that cannot be sent takes the client off it. */
  function attempt(request: PersonRequest, write: () => string): string | undefined {
    try {
      return write();
    } catch (error) {
      const note = error instanceof Error ? error.message : errorText(error);
      log.warn({ connection, request: request.id, note }, "a request could not be sent");
      session.core.fail(request.id, id, "protocol_error", note);
      return undefined;
    }
  }

  /** Sends an open request without a number: the number of its opening was sent before. */
  function again(request: AnyInteraction): void {
    if (request.resolved || !isAsked(request)) return;
    if (isForClient(request)) {
      signs.sent();
      requests.put(request);
      return;
    }
    const text = attempt(request, () => eventLog.asked(request, shows));
    if (text === undefined) return;
    pass(text);
    const update = session.updateOf(request);
    if (update !== undefined) pass(eventText("InteractionUpdated", update, {}));
  }

  /** The way of records to this client, which is waited for after so many characters. */
  function paceOf(most: number) {
    const pace = paced(pass, line.drained, most);
    const onUnfit = (type: string, error: unknown) =>
      log.error({ connection, type, error: errorText(error) }, "a message could not be replayed");
    return { pace, target: extendedReplay({ pace, onUnfit }) };
  }

  return {
    id,
    // A client that has an id of its own may come back on another connection (P-XAT-1).
    returns: shows.client_id !== undefined,
    namesSession: true,
    methods: extendedMethods({
      answers: session.answers,
      setDoNotAsk: (enabled) => session.setDoNotAsk(enabled, line.client()),
      asks: () => session.asks,
      atEnd(leave) {
        leaving ??= new Set();
        leaving.add(leave);
        return () => leaving?.delete(leave);
      },
      answerer: () => ({ recipientId: id, client: line.client(), shows, may: grant.may }),
      sessions,
      watch(watched) {
        watch ??= watchOf(watched);
        return watch;
      },
      alive() {
        signs.heard();
        const { sent, received } = peer.traffic;
        peer.notify("alive", { seq: reached(), sent, received: received - 1 });
      },
      clock,
    }),
    declared: (capabilities) => ({ ...capabilities, askwire: shows }),
    turnId: (given) => given,
    showsDeadlines: () => shows.deadline === true,
    tellsPresence: () => shows.presence === true,
    name: () => line.client(),
    introduced({ session: left }) {
      const named = left?.stream ?? undefined;
      const from = left?.after_seq ?? 0;
      const reset = named !== undefined && !(named === eventLog.stream && eventLog.reaches(from));
      resumed = named !== undefined && !reset;
      if (!started) {
        after = resumed ? from : eventLog.seq;
        past = shows.history === true && !resumed ? session.past() : undefined;
        seam ??= session.place();
      }
      return {
        capabilities: {
          supports_question: true,
          askwire: sessions === undefined ? serverCapabilities : { ...serverCapabilities, watch: true },
        },
        session: {
          ...session.found(reset),
          connection,
          ...(role !== undefined && { role, permissions: [...grant.permissions] }),
          ...(past !== undefined && { history: true }),
        },
      };
    },
    start() {
      if (started) return;
      started = true;
      if (past === undefined) begin();
      else void beginWith(past);
      signs.start();
    },
    stop() {
      stopHistory?.abort();
      seam?.release();
      watch?.stop();
      for (const leave of leaving ?? []) leave();
      leaving = undefined;
      feed.stop();
      signs.stop();
      held = [];
    },
    // The client reads the log, where the new request is. A call is no event, and waits until nothing is missed.
    show(request) {
      if (isForClient(request) && !feed.isLive) held.push(request);
    },
    showOpen(request) {
      const opening = isForClient(request) ? undefined : eventLog.opening(request.id);
      if (opening !== undefined) {
        // The opening comes with the missed events, or came on an earlier connection (P-XAT-5).
        if (opening.marks.seq > (fed ? feed.sent : after)) return;
        if (resumed && opening.wasTold(id)) return;
      }
      if (feed.isLive) again(request);
      else held.push(request);
    },
    // A program is told that no answer is awaited; a person hears of it by an event.
    settled: (request) => requests.settled(request, isForClient(request)),
    // Events reach the client by the session's log.
    tell() {},
    tellsHistory: () => past !== undefined,
    replayTarget: () => paceOf(DRAINED_BYTES).target,
    get seam() {
      return seam;
    },
  };
}
