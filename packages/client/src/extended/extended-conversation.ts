import {
  type AskwireCapabilities,
  allAgentMethods,
  type HeardAttached,
  heardAsked,
  LocalError,
  type ReleaseReason,
  type SessionState,
  type Validate,
  WireError,
} from "@askwire/protocol";
import { notSupported } from "@askwire/protocol/internal";
import { externalTools } from "../brought/external-tools.js";
import { hookAnswers } from "../brought/hooks.js";
import type { AgentPeer, ProfileConversation, RequestReply, SessionPlace } from "../contract/conversation.js";
import type { Deliveries } from "../contract/deliveries.js";
import type { AnyEvent, Observer } from "../contract/observer.js";
import type { Offered } from "../contract/offered.js";
import { markedReplays } from "../contract/replay.js";
import type { ConnectOptions } from "../contract/session.js";
import type { Timing } from "../runtime/timing.js";
import { uuid } from "../runtime/uuid.js";
import { joinedHistory } from "./joined-history.js";
import { Prompts } from "./prompts.js";
import { RunningCalls } from "./running-calls.js";
import { SentAnswers } from "./sent-answers.js";
import { SentCalls } from "./sent-calls.js";
import { type RequestToShow, ShownRequests } from "./shown-requests.js";
import { SignsOfLife } from "./signs-of-life.js";
import { unknownWord } from "./unknown-word.js";
import { WatchedSessions } from "./watched-sessions.js";

/** The services of the session for the extended profile. */
export interface ExtendedOptions {
  readonly options: ConnectOptions;
  readonly offered: Offered;
  readonly validate: Validate;
  readonly observer: Observer;
  readonly deliveries: Deliveries;
  readonly timing: Timing;
  readonly report: (problem: string) => void;
  /** Tells of an unexpected message. True if the connection is given up for a new one (P-XCL-4). */
  readonly reopen: (why: string) => boolean;
  /** Gives up a connection over which nothing is heard for a new one. */
  readonly silent: () => void;
  /** Something new was heard. */
  readonly works: () => void;
}

/** The number of attempts to fetch the events after an event, since an unreadable event would never come. */
const MOST_HOLES = 5;

/** A conversation in the extended profile, over all its connections. */
export interface ExtendedConversation extends ProfileConversation {
  /** The place of this client in the session; undefined before the first attach. */
  readonly place: (SessionPlace & { readonly id: string }) | undefined;
  /**
   * Attached over a new connection. Gives whether what was missed does not come.
   *
   * @param mayUse the features that the server may use.
   */
  attached(peer: AgentPeer, to: HeardAttached, mayUse: AskwireCapabilities | undefined): boolean;
  /** Finishes an attach, once the user knows of it. */
  resume(): void;
  /** There is no connection for a while. */
  lost(): void;
}

export function extendedConversation(given: ExtendedOptions): ExtendedConversation {
  const { options, offered, validate, observer, report } = given;
  const { handlers = {} } = options;
  let peer: AgentPeer | undefined;
  let session: HeardAttached | undefined;
  let state: SessionState | undefined;
  let doNotAsk = false;
  /** The agent's commands, where they have changed since the last attach (P-SLH-3). */
  let slashCommands: ProfileConversation["slashCommands"];
  /** The number of the last message that has one. */
  let last = 0;
  /** Up to where events were missed, and what was open then: it counts once they have come. */
  let missed: { readonly seq: number; readonly pending: ReadonlySet<string> } | undefined;
  let skip = false;
  let presence = false;
  /** The number of failures after the same event. */
  let holes = { last: -1, count: 0 };

  const answers = new SentAnswers(given.timing, validate, given.deliveries);
  const shown = new ShownRequests({
    handlers,
    answers,
    report,
    skip: () => skip,
    presence: () => presence,
    received: (request_id) => peer?.notify("received", { request_id }),
    touch,
    release,
    updated: (request_id, deadline) =>
      observer.tell({ type: "InteractionUpdated", payload: { request_id, deadline } }),
  });
  const sent = new SentCalls();
  const calls = new RunningCalls();
  const watched = new WatchedSessions();
  const prompts = new Prompts();
  const replay = markedReplays(report, validate);
  const history = joinedHistory(handlers.history, observer, validate, report);

  const signs = new SignsOfLife({
    timing: given.timing,
    awaits: () => shown.isOpen || prompts.isRunning || peer?.traffic.awaits === true,
    silent: given.silent,
    whole() {
      holes = { last: -1, count: 0 };
    },
    missing(what) {
      if (!hole(what)) sendAgain();
    },
  });

  /** Sends over this connection again whatever has an id of its own and no reply, where no new connection can be opened. */
  function sendAgain(): void {
    if (peer === undefined) return;
    answers.resume(peer, shown.awaited());
    sent.resume(peer);
    prompts.resume(peer, true);
  }

  function touch(request_id: string): void {
    peer?.request("touch", { request_id }).catch((error) => notTaken("touch", error));
  }

  function release(request_id: string, reason: ReleaseReason, message: string, done: () => void): void {
    peer?.request("release", { request_id, reason, message }).then(done, (error) => {
      // A connection that closes takes the word with it.
      if (error instanceof LocalError && error.code === "CLOSED") return;
      done();
      notTaken("release", error);
    });
  }

  /** A settled request needs no word, and the next connection asks open requests again. */
  function notTaken(method: string, error: unknown): void {
    if (!(error instanceof WireError) || error.is("AlreadyResolved") || error.is("UnknownRequest")) return;
    report(`${method}: ${error.message}`);
  }

  function live(event: AnyEvent): void {
    if (event.type === "InteractionSettled") {
      const { request_id, outcome } = event.payload;
      shown.settled(request_id, outcome);
      calls.settled(request_id);
    } else if (event.type === "InteractionUpdated") {
      shown.updated(event.payload.request_id, event.payload.deadline);
      return observer.tell(withoutSelf(event, session?.connection));
    } else if (event.type === "DoNotAsk") doNotAsk = event.payload.enabled;
    else if (event.type === "CommandsChanged") slashCommands = event.payload.slash_commands;
    prompts.route(event);
    observer.tell(event);
  }

  /** The fields of this profile are looked at here alone: in the base profile they may mean something else. */
  function ask(type: keyof typeof heardAsked, payload: unknown): void {
    const parsed = validate(heardAsked[type], payload);
    if (parsed.ok) return shown.show({ type, payload: parsed.value } as RequestToShow);
    const unknown = unknownWord(payload);
    const problem = unknown ?? `${type} does not fit the protocol: ${parsed.problem}`;
    report(problem);
    const id = (payload as { readonly id?: unknown } | null | undefined)?.id;
    if (typeof id === "string") {
      shown.release(id, unknown === undefined ? "protocol_error" : "unsupported", problem);
    }
  }

  /** Counts a numbered message. False for one that was there before, and where others are missing before it. */
  function counted(seq: number, now: SessionState | undefined): boolean {
    if (seq <= last || (seq !== last + 1 && hole(`message ${seq} came after message ${last}`))) return false;
    last = seq;
    if (now !== undefined) state = now;
    // Open requests come again before any numbered message (P-XAT-5).
    answers.release();
    given.works();
    return true;
  }

  function caughtUp(): void {
    if (missed === undefined || last < missed.seq || peer === undefined) return;
    const { pending } = missed;
    missed = undefined;
    shown.keep(pending);
    shown.resume();
    calls.keep(pending);
    prompts.resume(peer);
  }

  /** True if the connection is given up for a new one. Events missing again are gone (P-XCL-4). */
  function hole(why: string): boolean {
    holes = holes.last === last ? { last, count: holes.count + 1 } : { last, count: 1 };
    return holes.count <= MOST_HOLES && given.reopen(why);
  }

  return {
    get place() {
      if (session === undefined || history.isComing) return session && { id: session.id };
      return { id: session.id, stream: session.stream, after_seq: last };
    },
    get state() {
      return state;
    },
    get slashCommands() {
      return slashCommands;
    },
    get doNotAsk() {
      return doNotAsk;
    },
    event(event, marks) {
      if (marks.replayed === true) return history.isComing ? history.event(event) : replay.event(event);
      // The list of open requests is of the attach: a request that opens behind it must not be held against that list.
      caughtUp();
      if (marks.seq !== undefined && !counted(marks.seq, marks.state)) return;
      const asked = event.type === "unrecognized" ? event.payload : undefined;
      if (asked !== undefined && isAsked(asked.type)) ask(asked.type, asked.payload);
      else live(event);
      caughtUp();
    },
    request(request, call, { seq = 0, state: now, replayed }) {
      if (replayed === true) throw notSupported(request.type, "replayed", "the request was replayed");
      if (seq > last && !counted(seq, now)) throw new WireError("InvalidState", "messages are missing");
      caughtUp();
      const { type, payload } = request;
      if (type !== "ToolCallRequest" && type !== "HookRequest") {
        throw notSupported(type, "unsupported", `${type}: expected an event`);
      }
      return calls.run<RequestReply>(payload.request_id ?? payload.id, call, (untilSettled) =>
        type === "ToolCallRequest"
          ? externalTools(offered.tool, untilSettled, validate)(payload)
          : hookAnswers(offered.hook, untilSettled, report)(payload),
      );
    },
    alive(sign) {
      const { seq } = sign;
      if (seq > last && hole(`message ${seq} did not come after message ${last}`)) return;
      last = Math.max(last, seq);
      answers.release();
      given.works();
      prompts.flush();
      signs.heard(sign);
    },
    attached(to, attached, mayUse) {
      const before = session;
      const restarted = before !== undefined && before.stream !== attached.stream;
      const wasCut = history.isComing;
      const reset = before !== undefined && (restarted || wasCut || attached.reset || attached.seq < last);
      history.attached(attached);
      slashCommands = undefined;
      peer = to;
      session = attached;
      state = attached.state;
      if (before === undefined || reset) doNotAsk = attached.do_not_ask === true;
      skip = options.shows?.skip === true && mayUse?.skip === true;
      presence = options.shows?.presence === true && mayUse?.presence === true;
      missed = { seq: attached.seq, pending: new Set(attached.pending) };
      if (mayUse?.alive === true) signs.attached(to);
      if (before === undefined || reset) {
        last = attached.seq;
        prompts.underWay = attached.turn_id;
      }
      if (reset) {
        observer.forget();
        shown.reset(missed.pending, restarted ? "the server was restarted" : "too much was missed");
        const { resumes = false, turn_id: turnId } = attached;
        prompts.reset(restarted ? { resumes, turnId } : undefined);
      }
      observer.update({ plan_mode: attached.plan_mode });
      return reset;
    },
    resume() {
      if (peer === undefined) return;
      answers.resume(peer, shown.awaited());
      watched.attached(peer);
      sent.resume(peer);
      caughtUp();
    },
    lost() {
      peer = undefined;
      signs.stop();
      watched.lost();
      answers.lost();
      sent.lost();
    },
    ask: (params, signal) => sent.call("ask", params, signal),
    steer: (user_input) => sent.call("steer", { user_input, steer_id: uuid() }),
    isBusy: () => prompts.isRunning || replay.isRunning(),
    isReplaying: replay.isRunning,
    replaysInTurn: true,
    isUnderWay: () => prompts.isUnderWay,
    prompt(input) {
      if (peer === undefined && !prompts.isClosed) {
        const parsed = validate(allAgentMethods.prompt.params, { user_input: input });
        if (!parsed.ok)
          throw new LocalError("BAD_MESSAGE", `prompt does not fit the protocol: ${parsed.problem}`);
      }
      return prompts.begin(input, peer);
    },
    joinTurn: () => prompts.join(peer),
    watchSessions: () => watched.read(),
    sessionsChanged: (sessions, closed) => watched.changed(sessions, closed),
    replay(to) {
      if (peer === undefined) throw new LocalError("CLOSED", "replay: there is no connection");
      if (history.isComing) throw new LocalError("INVALID_STATE", "replay: the history is coming");
      return replay.run(to, peer.request("replay", undefined));
    },
    ended(cause) {
      peer = undefined;
      signs.stop();
      shown.close();
      calls.close();
      answers.close();
      watched.close(cause);
      sent.close(cause);
      prompts.close(cause);
    },
  };
}

/** The update without this connection among those that answer: its person knows. */
const withoutSelf = <E extends Extract<AnyEvent, { type: "InteractionUpdated" }>>(
  event: E,
  own: string | undefined,
): E => {
  const answering = event.payload.answering?.filter(({ connection }) => connection !== own);
  return answering ? { ...event, payload: { ...event.payload, answering } } : event;
};

const isAsked = (type: string): type is keyof typeof heardAsked => Object.hasOwn(heardAsked, type);
