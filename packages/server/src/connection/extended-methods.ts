import {
  type extendedAgentMethods,
  type Handlers,
  type IncomingCall,
  type ServedAgentMethods,
  WireError,
} from "@askwire/protocol";
import type { Clock } from "../runtime/clock.js";
import type { Answerer, Answers, Counted } from "../session/answers.js";
import type { AskReply, Asks } from "../session/asks.js";
import type { SessionMethods } from "./session-methods.js";
import type { SessionWatch } from "./session-watch.js";

export interface ExtendedMethodsOptions {
  readonly answers: Answers;
  /** Replies to an answer in its place among the events. */
  readonly reply: (call: IncomingCall, read: () => Counted) => Counted;
  /** Ends questions of the session by policy, or no longer (P-XDN-1). */
  readonly setDoNotAsk: (enabled: boolean) => void;
  /** Made with the first ask. */
  readonly asks: () => Asks;
  /** Calls `leave` at the end of the connection. The returned function prevents that. */
  readonly atEnd: (leave: () => void) => () => void;
  /** The client lives, and is told so of this side. */
  readonly alive: () => void;
  /** The connected client, at this moment. */
  readonly answerer: () => Answerer;
  /** Default: the methods on sessions are not there. */
  readonly sessions: SessionMethods | undefined;
  /** The watch of this connection, made when it is first asked for. */
  readonly watch: (sessions: SessionMethods) => SessionWatch;
  readonly clock: Clock;
}

type Extended = Pick<Handlers<ServedAgentMethods>, keyof typeof extendedAgentMethods>;

/** The handlers of a connection in addition to the base methods, once the extended profile is negotiated (P-XNG-4). */
export function extendedMethods(options: ExtendedMethodsOptions): Extended {
  const { alive, answers, reply, asks, atEnd, answerer, setDoNotAsk, sessions, watch, clock } = options;
  const refusals = refusedAnswers(clock);
  const person: Extended = {
    answer: (params, call) => refusals.count(() => reply(call, () => answers.answer(params, answerer()))),
    touch({ request_id }) {
      answers.touch(request_id, answerer().recipientId);
      return {};
    },
    set_do_not_ask({ enabled }) {
      setDoNotAsk(enabled);
      return { do_not_ask: enabled };
    },
    alive,
    // A person has the request: nothing is waiting for that word.
    received() {},
    release({ request_id, reason = "protocol_error", message }) {
      answers.release(request_id, answerer().recipientId, reason, message);
      return {};
    },
    ask(params, call) {
      const asked = asks().ask(params, answerer());
      if (params.wait === false || asked.reply.outcome !== undefined) return asked.reply;
      call.onCancel(() => asked.withdraw());
      return new Promise<AskReply>((resolve) => {
        const leave = asked.onSettled((reply) => {
          stay();
          resolve(reply);
        });
        // The questions outlive a lost connection, which nothing of them keeps.
        const stay = atEnd(leave);
      });
    },
  };
  if (sessions === undefined) return person;
  return {
    ...person,
    list_sessions: () => ({ sessions: sessions.list() }),
    create_session: () => ({ session: sessions.create() }),
    close_session({ session_id }, call) {
      const close = sessions.close(session_id);
      if (close === undefined) throw new WireError("UnknownRequest", `there is no session ${session_id}`);
      call.afterReply(close);
      return {};
    },
    watch_sessions: () => ({ sessions: watch(sessions).start() }),
    unwatch_sessions() {
      watch(sessions).stop();
      return {};
    },
  };
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
