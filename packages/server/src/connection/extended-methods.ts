import {
  type extendedAgentMethods,
  type Handlers,
  type IncomingCall,
  type ListedRequest,
  type ListedSession,
  type Principal,
  type ServedAgentMethods,
  WireError,
} from "@askwire/protocol";
import type { PersonWithRoles } from "../requests/addressing.js";
import type { Holder } from "../requests/request-claims.js";
import type { Clock } from "../runtime/clock.js";
import type { Answerer, Answers, Counted } from "../session/answers.js";
import type { AskReply, Asks } from "../session/asks.js";
import type { OwnDrafts } from "../session/own-drafts.js";
import type { ServedSession } from "../session/served-session.js";
import { decisionMethods } from "./decision-methods.js";
import type { Watch } from "./gathered-changes.js";
import type { Grant } from "./grant.js";
import type { OwnCode } from "./own-code.js";
import type { RequestLists } from "./request-lists.js";
import type { SessionMethods } from "./session-methods.js";
import { MOST_AT_ONCE } from "./session-watch.js";

/** The side of a connection that its methods speak for. */
export interface MethodsOf {
  readonly answers: Answers;
  /** The unsent work of persons on the requests of the session. */
  readonly drafts: OwnDrafts;
  /** Replies to an answer in its place among the events. */
  reply(call: IncomingCall, read: () => Counted): Counted;
  /** Ends questions of the session by policy, or no longer (P-XDN-1). */
  setDoNotAsk(enabled: boolean): void;
  /** Made with the first ask. */
  readonly asks: Asks;
  /** Calls `leave` at the end of the connection. The returned function prevents that. */
  atEnd(leave: () => void): () => void;
  /** The client lives, and is told so of this side. */
  alive(): void;
  /** The connected client, at this moment. */
  answerer(): Answerer;
  /** The watch of this connection over the sessions, made when it is first asked for. */
  watch(sessions: SessionMethods): Watch<ListedSession>;
  /** Its watch over what waits in them, made alike. */
  watchRequests(requests: RequestLists): Watch<ListedRequest>;
  /** The codes that it makes for devices. Undefined where there are none. */
  readonly ownCode: OwnCode | undefined;
  /** The person that the client was let in as; undefined where the door knows none. */
  readonly principal: Principal | undefined;
  /** That person, with the roles of this moment (P-XTO-4). */
  person(): PersonWithRoles;
  /** The id of its connection. */
  readonly connection: string;
  /** The one who takes requests by this connection. */
  holder(): Holder;
  /** The session that it joined; undefined in the lobby. */
  readonly sessionId: string | undefined;
}

type Listing = Pick<
  MethodsOf,
  | "watch"
  | "watchRequests"
  | "ownCode"
  | "principal"
  | "person"
  | "connection"
  | "holder"
  | "sessionId"
  | "atEnd"
>;
type Extended = Pick<Handlers<ServedAgentMethods>, keyof typeof extendedAgentMethods>;

/**
 * The handlers of a connection in addition to the base methods, once the extended profile is negotiated (P-XNG-4).
 *
 * @param sessions undefined where the methods on sessions are not there.
 */
export function extendedMethods(
  side: MethodsOf,
  sessions: SessionMethods | undefined,
  clock: Clock,
): Extended {
  const refusals = refusedAnswers(clock);
  const person: Extended = {
    answer: (params, call) =>
      refusals.count(() => side.reply(call, () => side.answers.answer(params, side.answerer()))),
    touch({ request_id }) {
      side.answers.touch(request_id, side.answerer());
      return {};
    },
    set_do_not_ask({ enabled }) {
      side.setDoNotAsk(enabled);
      return { do_not_ask: enabled };
    },
    alive: () => side.alive(),
    // A person has the request: nothing is waiting for that word.
    received() {},
    release({ request_id, reason = "protocol_error", message }) {
      side.answers.release(request_id, side.answerer().recipientId, reason, message);
      return {};
    },
    keep_draft({ request_id, draft }) {
      side.drafts.keep(request_id, draft ?? undefined, side.answerer());
      return {};
    },
    read_draft: ({ request_id }) => side.drafts.read(request_id, side.answerer()),
    ask(params, call) {
      const asked = side.asks.ask(params, side.answerer());
      // A question that was put to nobody is told in no other message.
      if (asked.reply.outcome?.reason === "not_kept") call.isAhead = true;
      if (params.wait === false || asked.reply.outcome !== undefined) return asked.reply;
      call.onCancel(() => asked.withdraw());
      return new Promise<AskReply>((resolve) => {
        const leave = asked.onSettled((reply) => {
          stay();
          resolve(reply);
        });
        // The questions outlive a lost connection, which nothing of them keeps.
        const stay = side.atEnd(leave);
      });
    },
  };
  if (sessions === undefined) return person;
  // A spread makes a separate shape for each connection: 450 bytes.
  return Object.assign(person, listMethods(side, sessions));
}

/**
 * The features that a server declares where these methods are there (P-XNG-2).
 *
 * @param may what the connection may do.
 */
export const listFeatures = (sessions: SessionMethods, { may }: Pick<Grant, "may">) => ({
  watch: true,
  inbox: true,
  claims: true,
  to: true,
  ...(sessions.kept !== undefined && { kept_sessions: true }),
  ...(sessions.decisions !== undefined && may("history") && { decisions: true }),
});

/** The methods on the sessions of a server, and on what waits in them, which need no session. */
export const listMethods = (side: Listing, sessions: SessionMethods) =>
  ({
    list_sessions({ state, after, limit } = {}) {
      const part = { after, limit };
      if (state === "kept") return sessions.kept?.(part) ?? { sessions: [] };
      if (after !== undefined || limit !== undefined) return sessions.page(part);
      return sessions.count > MOST_AT_ONCE
        ? sessions.page({ limit: MOST_AT_ONCE })
        : { sessions: sessions.list() };
    },
    create_session() {
      const made = sessions.create();
      return made instanceof Promise ? made.then((session) => ({ session })) : { session: made };
    },
    close_session({ session_id }, call) {
      const close = sessions.close(session_id);
      if (close === undefined) throw new WireError("UnknownRequest", `there is no session ${session_id}`);
      const closes = (opened: () => void) => {
        call.afterReply(opened);
        return {};
      };
      return close instanceof Promise ? close.then(closes) : closes(close);
    },
    watch_sessions: () => ({ sessions: side.watch(sessions).start() }),
    unwatch_sessions() {
      side.watch(sessions).stop();
      return {};
    },
    list_requests: (wanted = {}) =>
      sessions.requests.page(wanted, {
        connection: side.connection,
        principal: side.principal,
        person: () => side.person(),
      }),
    watch_requests: () => ({ requests: side.watchRequests(sessions.requests).start() }),
    unwatch_requests() {
      side.watchRequests(sessions.requests).stop();
      return {};
    },
    claim: ({ request_id, session_id, ms }) => {
      const holder = side.holder();
      return inSession(side, sessions, session_id, ({ answers }) => {
        const { holder: held, until } = answers.claim(request_id, holder, ms);
        return {
          by: held.by,
          until: new Date(until).toISOString(),
          remaining_ms: Math.max(0, until - sessions.now()),
          own: held.id === holder.id,
        };
      });
    },
    unclaim: ({ request_id, session_id }) =>
      inSession(side, sessions, session_id, ({ answers }) => {
        answers.unclaim(request_id, side.holder().id);
        return {};
      }),
    ...(sessions.decisions && decisionMethods(sessions.decisions, side)),
    ...side.ownCode?.methods,
  }) satisfies Extended;

/** Acts in the named session, else in that of the connection. One that is parked is opened for that (P-XCM-1). */
function inSession<T>(
  { sessionId }: Listing,
  sessions: SessionMethods,
  named: string | undefined,
  act: (session: ServedSession) => T,
): T | Promise<T> {
  const id = named ?? sessionId;
  if (id === undefined) {
    const why = "session_id: expected the session of the request, as this connection joined none";
    throw new WireError("InvalidParams", why);
  }
  const session = sessions.opened(id);
  if (session === undefined) {
    const why = `session_id: there is no session ${id} in memory: open it first`;
    throw new WireError("UnknownRequest", why);
  }
  return session instanceof Promise ? session.then(act) : act(session);
}

/** Refused answers of one connection, at most, in this many milliseconds (P-XAN-8). */
const MAX_REFUSED = 256;
const REFUSED_MS = 60_000;

function refusedAnswers(clock: Clock) {
  let since = 0;
  let refused = 0;
  return {
    /** Lets no answer through while too many were refused. */
    count<T>(answer: () => T): T {
      if (clock.elapsed() - since >= REFUSED_MS) refused = 0;
      if (refused >= MAX_REFUSED) {
        const data = { limit: "refusedAnswers" };
        throw new WireError("Overloaded", `more than ${MAX_REFUSED} refused answers in a minute`, { data });
      }
      try {
        return answer();
      } catch (error) {
        if (refused === 0) since = clock.elapsed();
        refused += 1;
        throw error;
      }
    },
  };
}
