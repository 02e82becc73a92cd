import {
  type AskwireCapabilities,
  type ClientMethods,
  closeCodes,
  extendedEvents,
  type InitializeParams,
  type InitializeResult,
  type Marks,
  type Peer,
  type RequestType,
  requestKinds,
  requests,
  type Schema,
} from "@askwire/protocol";
import { eventText } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { InteractionOpened } from "../journal/entries.js";
import type { ReplayTarget } from "../journal/replay.js";
import { extendedProfile } from "../profiles/extended-profile.js";
import type { Profile } from "../profiles/profile.js";
import { type AnyInteraction, isForClient } from "../requests/core.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import type { Answerer } from "../session/answers.js";
import { type EventName, eventSchemas } from "../session/event-log.js";
import type { Session } from "../session/session.js";
import { DRAINED_BYTES } from "./base-client.js";
import { EventFeed } from "./event-feed.js";
import { extendedMethods, type SessionMethods } from "./extended-methods.js";

export interface ExtendedClientOptions {
  /** The id of its connection. */
  readonly connection: string;
  /** What it declared. */
  readonly shows: AskwireCapabilities;
  readonly session: Session;
  readonly peer: Peer<ClientMethods>;
  /** Resolves once at most so many bytes wait to be sent. */
  readonly drained: (bytes: number) => Promise<void>;
  /** Who answers, at this moment. */
  readonly answerer: () => Omit<Answerer, "shows">;
  /** Puts a request to it. */
  readonly put: (request: AnyInteraction) => void;
  readonly sessions: SessionMethods | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a connection is more than a base client's. */
export interface ExtendedClient {
  readonly shows: AskwireCapabilities;
  readonly profile: Profile;
  readonly methods: ReturnType<typeof extendedMethods>;
  readonly replayTarget: ReplayTarget;
  /** What `initialize` says beside the base members, and where the client goes on (P-XAT-4 to P-XAT-6). */
  introduced(left: InitializeParams["session"]): Pick<InitializeResult, "capabilities" | "session">;
  /** Sends what was missed, and from then on what happens. */
  start(): void;
  stop(): void;
  /** Shows a request, once the client has what it missed. */
  show(request: AnyInteraction): void;
  /** Whether the client is told that a request of it is settled: programs are, a person hears of it by an event. */
  tellsOf(request: AnyInteraction): boolean;
  /** What stands beside a request. */
  marks(): Marks;
}

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

/** Speaks to a client in the extended profile. */
export function extendedClient(options: ExtendedClientOptions): ExtendedClient {
  const { session, peer, shows, clock, log, connection } = options;
  const { eventLog } = session;
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
    drained: options.drained,
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
    options.put(request);
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
    return replayed(asked, requests[asked].payload, request) && "request";
  }

  return {
    shows,
    profile: extendedProfile(shows),
    methods: extendedMethods({
      answers: session.answers,
      answerer: () => ({ ...options.answerer(), shows }),
      sessions: options.sessions,
      clock,
    }),
    introduced(left) {
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
    tellsOf: isForClient,
    marks: () => ({ seq: feed.sent }),
    replayTarget: {
      event: (type, payload) => replayed(type, eventSchemas[type as EventName], payload),
      request: (type, payload) => replayed(type, requests[type as RequestType].payload, payload),
      note: replayNote,
      drained: () => options.drained(DRAINED_BYTES),
    },
  };
}
