import {
  type AskwireCapabilities,
  closeCodes,
  extendedEvents,
  type RequestType,
  requestKinds,
  requests as requestTypes,
  type Schema,
} from "@askwire/protocol";
import { eventText } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { InteractionOpened } from "../journal/entries.js";
import { extendedProfile } from "../profiles/extended-profile.js";
import { type AnyInteraction, isForClient } from "../requests/core.js";
import { type EventName, eventSchemas } from "../session/event-log.js";
import { type ClientSide, DRAINED_BYTES, type Line } from "./client-side.js";
import { EventFeed } from "./event-feed.js";
import { extendedMethods } from "./extended-methods.js";
import { putRequests } from "./put-requests.js";

/** What this server may use of what a client shows (P-XNG-2). */
const serverCapabilities: AskwireCapabilities = {
  revision: 1,
  previews: true,
  notes: true,
  attachments: true,
  skip: true,
  deadline: true,
};

/** How long a client may be sent nothing, in milliseconds (P-XAT-9). */
const SILENCE_MS = 15_000;

/**
 * Speaks to a client in the extended profile.
 *
 * @param shows the capabilities that it declared.
 */
export function extendedClient(line: Line, shows: AskwireCapabilities): ClientSide {
  const { session, peer, clock, log, connection } = line;
  const { eventLog } = session;
  const id = shows.client_id === undefined ? connection : `client:${shows.client_id.toLowerCase()}`;
  const requests = putRequests({
    ...line,
    recipientId: id,
    profile: extendedProfile(shows),
    marks: () => ({ seq: feed.sent }),
  });
  /** What is shown as soon as the client has what it missed. */
  let held: AnyInteraction[] = [];
  let after = 0;
  let started = false;
  let sentAt = 0;
  let cancelAlive = () => {};

  const feed = new EventFeed({
    log: eventLog,
    send(text) {
      sentAt = clock.elapsed();
      peer.pass(text);
    },
    drained: line.drained,
    onLive() {
      const shown = held;
      held = [];
      for (const request of shown) if (!request.resolved) put(request);
    },
    onLate() {
      log.warn({ connection }, "the client fell behind what is kept of the events");
      peer.close(closeCodes.TooSlow, "too slow: reconnect");
    },
  });

  function put(request: AnyInteraction): void {
    sentAt = clock.elapsed();
    requests.put(request);
  }

  /** Lets the client know that the connection lives. */
  function stayAlive(): void {
    const silence = clock.elapsed() - sentAt;
    if (silence >= SILENCE_MS) {
      sentAt = clock.elapsed();
      if (feed.isLive) peer.notify("alive", { seq: eventLog.seq });
    }
    cancelAlive = clock.after(SILENCE_MS - Math.max(0, clock.elapsed() - sentAt), stayAlive);
  }

  /** Sends a replayed message, to this client alone (P-XRP-1). */
  function replayed(type: string, schema: Schema, payload: unknown): boolean {
    try {
      peer.pass(eventText(schema, type, payload, { replayed: true }, validateCompiled));
      return true;
    } catch (error) {
      log.error({ connection, type, error: String(error) }, "a message could not be replayed");
      return false;
    }
  }

  /** How a request ended is an event, and what was recorded of an approval is what was asked. */
  function replayNote(type: string, payload: unknown): "event" | "request" | false {
    if (type === "InteractionSettled") {
      const { request: _asked, ...settled } = payload as { request?: unknown };
      return replayed(type, extendedEvents.InteractionSettled, settled) && "event";
    }
    const { kind, request } = payload as InteractionOpened;
    const asked = requestKinds[kind];
    return replayed(asked, requestTypes[asked].payload, request) && "request";
  }

  return {
    id,
    // A client that has an id of its own may come back on another connection (P-XAT-1).
    returns: shows.client_id !== undefined,
    namesSession: true,
    methods: extendedMethods({
      answers: session.answers,
      answerer: () => ({ recipientId: id, client: line.client(), shows }),
      sessions: line.sessions,
      clock,
    }),
    declared: (capabilities) => ({ ...capabilities, askwire: shows }),
    turnId: (given) => given,
    showsDeadlines: () => shows.deadline === true,
    introduced({ session: left }) {
      const named = left?.stream ?? undefined;
      const from = left?.after_seq ?? 0;
      const reset = named !== undefined && !(named === eventLog.stream && eventLog.reaches(from));
      after = named === undefined || reset ? eventLog.seq : from;
      return {
        capabilities: { supports_question: true, askwire: serverCapabilities },
        session: {
          id: session.id,
          stream: eventLog.stream,
          seq: eventLog.seq,
          ...session.stateNow,
          plan_mode: session.planMode,
          reset,
        },
      };
    },
    start() {
      if (started) return;
      started = true;
      feed.start(after);
      sentAt = clock.elapsed();
      cancelAlive = clock.after(SILENCE_MS, stayAlive);
    },
    stop() {
      feed.stop();
      cancelAlive();
      held = [];
    },
    show(request) {
      if (feed.isLive) put(request);
      else held.push(request);
    },
    // A program is told that no answer is awaited; a person hears of it by an event.
    settled: (request) => requests.settled(request, isForClient(request)),
    // Events reach the client by the session's log.
    tell() {},
    replayTarget: {
      event: (type, payload) => replayed(type, eventSchemas[type as EventName], payload),
      request: (type, payload) => replayed(type, requestTypes[type as RequestType].payload, payload),
      note: replayNote,
      drained: () => line.drained(DRAINED_BYTES),
    },
  };
}
