import {
  type AskParams,
  type AskwireCapabilities,
  type CallOutput,
  type HeardAskResult,
  type HeardAttached,
  heardAgentMethods,
  heardAsked,
  type In,
  type IncomingCall,
  LocalError,
  type Marks,
  type SessionState,
  type UserInput,
  type Validate,
  WireError,
  type WireRequest,
} from "@askwire/protocol";
import { notSupported, randomId } from "@askwire/protocol/internal";
import { externalTools } from "../brought/external-tools.js";
import { hookAnswers } from "../brought/hooks.js";
import type {
  AgentPeer,
  ProfileConversation,
  RequestReply,
  SessionPlace,
  SignOfLife,
} from "../contract/conversation.js";
import type { Deliveries } from "../contract/deliveries.js";
import type { AnyEvent, Observer } from "../contract/observer.js";
import type { Offered } from "../contract/offered.js";
import {
  type MarkedReplays,
  markedReplays,
  type ReplayHandlers,
  type ReplayResult,
} from "../contract/replay.js";
import type { ConnectOptions } from "../contract/session.js";
import type { ClientTurn } from "../contract/turn.js";
import type { Timing } from "../runtime/timing.js";
import { type JoinedHistory, joinedHistory } from "./joined-history.js";
import { NumberedMessages } from "./numbered-messages.js";
import { Prompts } from "./prompts.js";
import { RunningCalls } from "./running-calls.js";
import { SentAnswers } from "./sent-answers.js";
import { SentCalls } from "./sent-calls.js";
import { type RequestToShow, ShownRequests, type ShownRequestsOptions } from "./shown-requests.js";
import { ClientSignsOfLife } from "./signs-of-life.js";
import { unknownWord } from "./unknown-word.js";
import { WatchedLists } from "./watched-lists.js";

/** The services of the session for the extended profile. */
export interface ExtendedOptions {
  readonly options: ConnectOptions;
  readonly offered: Offered;
  readonly validate: Validate;
  readonly observer: Observer;
  readonly deliveries: Deliveries;
  readonly timing: Timing;
  readonly report: (problem: string) => void;
  /** Reports an unexpected message. True if the connection is given up for a new one (P-XCL-4). */
  readonly reopen: (why: string) => boolean;
  /** Gives up a connection over which nothing is heard for a new one. */
  readonly silent: () => void;
  /** Something new was heard. */
  readonly works: () => void;
}

/** A conversation in the extended profile, over all its connections. */
export class ExtendedConversation implements ProfileConversation {
  readonly replaysInTurn = true;
  readonly isReplaying: () => boolean;
  state: SessionState | undefined;
  doNotAsk = false;
  /** The agent's commands, where they have changed since the last attach (P-SLH-3). */
  slashCommands: ProfileConversation["slashCommands"];
  readonly #given: ExtendedOptions;
  /** Undefined while there is no connection. */
  #peer: AgentPeer | undefined;
  /** Undefined before the first attach. */
  #session: HeardAttached | undefined;
  /** The features of this client that the server may use on this connection. */
  #mayUse: AskwireCapabilities | undefined;
  /** The attach, until all that was missed then has come: its list of open requests counts from there on. */
  #missed: HeardAttached | undefined;
  /** True once something new was heard since the answers were sent again. */
  #isProven = false;
  readonly #messages: NumberedMessages;
  readonly #answers: SentAnswers;
  readonly #shown: ShownRequests;
  readonly #sent = new SentCalls();
  readonly #calls = new RunningCalls();
  readonly watched = new WatchedLists();
  readonly #prompts = new Prompts();
  readonly #replay: MarkedReplays;
  readonly #history: JoinedHistory;
  readonly #signs: ClientSignsOfLife;

  constructor(given: ExtendedOptions) {
    this.#given = given;
    const { options, validate, observer, report, timing, deliveries, reopen } = given;
    const { handlers = {} } = options;
    this.#messages = new NumberedMessages(reopen);
    this.#answers = new SentAnswers(timing, validate, deliveries, (payload, marks) =>
      this.event({ type: "InteractionSettled", payload }, marks),
    );
    this.#shown = new ShownRequests({
      handlers,
      answers: this.#answers,
      report,
      timing,
      skip: () => options.shows?.skip === true && this.#mayUse?.skip === true,
      presence: () => options.shows?.presence === true && this.#mayUse?.presence === true,
      ...requestWords(() => this.#peer, report),
      updated: (request_id, deadline) =>
        observer.tell({ type: "InteractionUpdated", payload: { request_id, deadline } }),
    });
    this.#replay = markedReplays(report, validate);
    this.isReplaying = this.#replay.isRunning;
    this.#history = joinedHistory(handlers.history, observer, validate, report);
    this.#signs = new ClientSignsOfLife({
      timing,
      awaits: () => this.#shown.isOpen || this.#prompts.isRunning || this.#peer?.traffic.awaits === true,
      silent: given.silent,
      whole: () => this.#messages.whole(),
      missing: (what) => {
        if (!this.#messages.isHole(what)) this.#sendAgain();
      },
    });
  }

  /** The place of this client in the session; undefined before the first attach. */
  get place(): (SessionPlace & { readonly id: string }) | undefined {
    if (this.#session === undefined) return undefined;
    const { id, stream } = this.#session;
    return this.#history.isComing ? { id } : { id, stream, after_seq: this.#messages.last };
  }

  event(event: AnyEvent, marks: Marks): void {
    if (marks.replayed === true) return (this.#history.isComing ? this.#history : this.#replay).event(event);
    // The list of open requests is of the attach: a request that opens behind it must not be held against that list.
    this.#caughtUp();
    if (marks.seq !== undefined && !this.#counts(marks.seq, marks.state)) return;
    const asked = event.type === "unrecognized" ? event.payload : undefined;
    if (asked !== undefined && isAsked(asked.type)) this.#ask(asked.type, asked.payload);
    else this.#live(event);
    this.#caughtUp();
  }

  request(
    request: WireRequest,
    call: IncomingCall,
    { seq = 0, state, replayed }: Marks,
  ): RequestReply | Promise<RequestReply> {
    const { offered, validate, report } = this.#given;
    if (replayed === true) throw notSupported(request.type, "replayed", "the request was replayed");
    if (seq > this.#messages.last && !this.#counts(seq, state)) {
      throw new WireError("InvalidState", "messages are missing");
    }
    this.#caughtUp();
    const { type, payload } = request;
    if (type !== "ToolCallRequest" && type !== "HookRequest") {
      throw notSupported(type, "unsupported", `${type}: expected an event`);
    }
    return this.#calls.run<RequestReply>(payload.request_id ?? payload.id, call, (untilSettled) =>
      type === "ToolCallRequest"
        ? externalTools(offered.tool, untilSettled, validate)(payload)
        : hookAnswers(offered.hook, untilSettled, report)(payload),
    );
  }

  alive(sign: SignOfLife): void {
    if (!this.#messages.reaches(sign.seq)) return;
    this.#works();
    this.#prompts.flush();
    this.#signs.heard(sign);
  }

  /**
   * Attached over a new connection. Returns whether what was missed does not come.
   *
   * @param mayUse the features that the server may use.
   */
  attached(peer: AgentPeer, attached: HeardAttached, mayUse: AskwireCapabilities | undefined): boolean {
    const { observer } = this.#given;
    const before = this.#session;
    const isReset = this.#isResetBy(attached);
    const isNew = before === undefined || isReset;
    this.#history.attached(attached);
    this.#peer = peer;
    this.#session = attached;
    this.#mayUse = mayUse;
    this.state = attached.state;
    if (isNew) this.doNotAsk = attached.do_not_ask === true;
    this.slashCommands = undefined;
    this.#missed = attached;
    if (isNew) this.#messages.startAfter(attached.seq);
    if (mayUse?.alive === true) this.#signs.attached(peer);
    if (isNew) this.#prompts.underWay = attached.turn_id;
    if (isReset) this.#reset(attached, before?.stream !== attached.stream);
    observer.update({ plan_mode: attached.plan_mode });
    return isReset;
  }

  /** True if an attach after another one does not bring what was missed. */
  #isResetBy({ stream, reset, seq }: HeardAttached): boolean {
    if (this.#session === undefined) return false;
    const isRestarted = this.#session.stream !== stream;
    return isRestarted || this.#history.isComing || reset || seq < this.#messages.last;
  }

  #reset(attached: HeardAttached, isRestarted: boolean): void {
    this.#given.observer.forget();
    this.#shown.reset(
      new Set(attached.pending),
      isRestarted ? "the server was restarted" : "too much was missed",
    );
    const { resumes = false, turn_id: turnId } = attached;
    this.#prompts.reset(isRestarted ? { resumes, turnId } : undefined);
  }

  /** Finishes an attach, once the user knows of it. */
  resume(): void {
    const peer = this.#peer;
    if (peer === undefined) return;
    this.#sendWaiting(peer);
    this.watched.attached(peer);
    this.#caughtUp();
  }

  /** There is no connection for a while. */
  lost(): void {
    this.#peer = undefined;
    this.#signs.stop();
    this.watched.lost();
    this.#answers.lost();
    this.#sent.lost();
  }

  ended(cause: Error | undefined): void {
    this.#peer = undefined;
    this.#signs.stop();
    this.#shown.close();
    this.#calls.close();
    this.#answers.close();
    this.watched.close(cause);
    this.#sent.close(cause);
    this.#prompts.close(cause);
  }

  ask(params: In<typeof AskParams>, signal?: AbortSignal): Promise<HeardAskResult> {
    return this.#sent.call("ask", params, signal);
  }

  steer(user_input: UserInput): Promise<unknown> {
    return this.#sent.call("steer", { user_input, steer_id: randomId() });
  }

  isBusy(): boolean {
    return this.#prompts.isRunning || this.#replay.isRunning();
  }

  isUnderWay(): boolean {
    return this.#prompts.isUnderWay;
  }

  prompt(input: UserInput, signal?: AbortSignal): ClientTurn {
    const { validate } = this.#given;
    if (this.#peer === undefined && !this.#prompts.isClosed) {
      const parsed = validate(heardAgentMethods.prompt.params, { user_input: input });
      if (!parsed.ok)
        throw new LocalError("BAD_MESSAGE", `prompt does not fit the protocol: ${parsed.problem}`);
    }
    return this.#prompts.begin(input, this.#peer, signal);
  }

  joinTurn(): ClientTurn | undefined {
    return this.#prompts.join(this.#peer);
  }

  callOutput(output: CallOutput): void {
    this.#given.observer.output(output);
  }

  replay(to: ReplayHandlers, signal?: AbortSignal): Promise<ReplayResult> {
    if (this.#peer === undefined) throw new LocalError("CLOSED", "replay: there is no connection");
    if (this.#history.isComing) throw new LocalError("INVALID_STATE", "replay: the history is coming");
    return this.#replay.run(to, this.#peer.request("replay", undefined, signal));
  }

  /** Sends over this connection again whatever has its own id and no reply, where no new connection can be opened. */
  #sendAgain(): void {
    const peer = this.#peer;
    if (peer === undefined) return;
    this.#sendWaiting(peer);
    this.#prompts.resume(peer, true);
  }

  /** Sends the answers and calls that have no reply. */
  #sendWaiting(peer: AgentPeer): void {
    this.#isProven = false;
    this.#answers.resume(peer, this.#shown.awaited());
    this.#sent.resume(peer);
  }

  #live(event: AnyEvent): void {
    const { observer } = this.#given;
    const { type, payload } = event;
    if (type === "InteractionSettled") {
      this.#shown.settled(payload.request_id, payload.outcome);
      this.#calls.settled(payload.request_id);
    } else if (type === "InteractionOpened") this.#shown.settled(payload.request_id);
    else if (type === "InteractionUpdated") {
      this.#shown.updated(payload.request_id, payload.deadline);
      return observer.tell(
        withoutSelf(event as Extract<AnyEvent, { type: typeof type }>, this.#session?.connection),
      );
    } else if (type === "DoNotAsk") this.doNotAsk = payload.enabled;
    else if (type === "CommandsChanged") this.slashCommands = payload.slash_commands;
    this.#prompts.route(event);
    observer.tell(event);
  }

  /** The fields of this profile are looked at here alone: in the base profile they may mean something else. */
  #ask(type: keyof typeof heardAsked, payload: unknown): void {
    const { validate, report } = this.#given;
    const parsed = validate(heardAsked[type], payload);
    if (parsed.ok) return this.#shown.show({ type, payload: parsed.value } as RequestToShow);
    const unknown = unknownWord(payload);
    const problem = unknown ?? `${type} does not fit the protocol: ${parsed.problem}`;
    report(problem);
    const id = (payload as { readonly id?: unknown } | null | undefined)?.id;
    if (typeof id === "string") {
      this.#shown.release(id, unknown === undefined ? "protocol_error" : "unsupported", problem);
    }
  }

  /** Counts a numbered message. False for one that was there before, and where others are missing before it. */
  #counts(seq: number, state: SessionState | undefined): boolean {
    if (!this.#messages.counts(seq)) return false;
    if (state !== undefined) this.state = state;
    this.#works();
    return true;
  }

  /** The connection works. Open requests come again before any numbered message (P-XAT-5). */
  #works(): void {
    if (this.#isProven) return;
    this.#isProven = true;
    this.#answers.release();
    this.#given.works();
  }

  /** All that was missed has come, if it has: the list of open requests of the attach counts, once. */
  #caughtUp(): void {
    if (this.#missed === undefined || this.#peer === undefined || this.#messages.last < this.#missed.seq)
      return;
    const pending = new Set(this.#missed.pending);
    this.#missed = undefined;
    this.#shown.keep(pending);
    this.#shown.resume();
    this.#calls.keep(pending);
    this.#prompts.resume(this.#peer);
  }
}

/** The words on a request that go over the connection there is, and need no reply. */
function requestWords(
  peer: () => AgentPeer | undefined,
  report: (problem: string) => void,
): Pick<ShownRequestsOptions, "received" | "touch" | "release"> {
  /** A settled request needs no word, and the next connection asks open requests again. */
  function notTaken(method: string, error: unknown): void {
    if (!(error instanceof WireError) || error.is("AlreadyResolved") || error.is("UnknownRequest")) return;
    report(`${method}: ${error.message}`);
  }

  return {
    received: (request_id) => peer()?.notify("received", { request_id }),
    touch(request_id) {
      peer()
        ?.request("touch", { request_id })
        .catch((error) => notTaken("touch", error));
    },
    release(request_id, reason, message, done) {
      peer()
        ?.request("release", { request_id, reason, message })
        .then(done, (error) => {
          // A connection that closes takes the word with it.
          if (error instanceof LocalError && error.code === "CLOSED") return;
          done();
          notTaken("release", error);
        });
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
