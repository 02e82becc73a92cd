import { closeCodes, type IncomingCall, type InitializeParams } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import type { LinePlace } from "../journal/kept-lines.js";
import type { ReplayTarget } from "../journal/replay.js";
import { type AnyInteraction, isForClient, type PersonRequest } from "../requests/core.js";
import type { Counted } from "../session/answers.js";
import type { Past } from "../session/past.js";
import type { ClientRequests } from "./client-requests.js";
import { type ConnectionParts, DRAINED_BYTES } from "./client-side.js";
import { EventFeed } from "./event-feed.js";
import { extendedReplay } from "./extended-replay.js";
import { HISTORY_BURST, tellHistory } from "./history.js";
import { type Pace, paced } from "./pace.js";

export interface CatchUpOptions {
  readonly line: ConnectionParts;
  /** The id that the core knows the client by. */
  readonly recipientId: string;
  /** True for a client that wants the conversation so far. */
  readonly wantsPast: boolean;
  readonly requests: ClientRequests;
  /** Sends a whole message; gives how many UTF-16 units that were. */
  readonly pass: (text: string) => number;
}

/** The state of a client: it is sent nothing yet, or the conversation so far, or the numbered events. */
type Stage = "attaching" | "history" | "events";

/** The way of an extended client from where it left off to the present (P-XAT-5, P-XHI-3). */
export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #feed: EventFeed;
  #stage: Stage = "attaching";
  /** The number of the event that the client was sent last when it came. */
  #from = 0;
  /** True for a client that continues where it left off. */
  #resumes = false;
  /** The conversation so far, until it is sent. */
  #past: Past | undefined;
  /** Made with the conversation so far. */
  #stopHistory: AbortController | undefined;
  #seam: LinePlace | undefined;
  /** The requests to show once the client has all missed events. */
  #held: AnyInteraction[] = [];

  constructor(options: CatchUpOptions) {
    this.#options = options;
    const { session, peer, log, connection, drained } = options.line;
    this.#feed = new EventFeed({
      log: session.eventLog,
      send: (entry, isLive) => options.requests.entry(entry, isLive),
      drained,
      onLive: () => this.#show(() => true),
      onLate() {
        log.warn({ connection }, "the client fell behind what is kept of the events");
        peer.close(closeCodes.TooSlow, "too slow: reconnect");
      },
    });
  }

  /** True once the client has all that it missed. */
  get isLive(): boolean {
    return this.#feed.isLive;
  }

  /** The number of the last event that the client was sent. */
  get reached(): number {
    return this.#stage === "events" ? this.#feed.sent : this.#from;
  }

  /** True while the client is to be sent the conversation so far, or is sent it. */
  get tellsHistory(): boolean {
    return this.#past !== undefined;
  }

  /** The end of the journal at the attach; undefined before it. */
  get seam(): LinePlace | undefined {
    return this.#seam;
  }

  /** Decides where the client begins. Returns whether it forgets what it knows of another stream of events. */
  attach(left: InitializeParams["session"]): boolean {
    const { line, wantsPast } = this.#options;
    const { session } = line;
    const { eventLog } = session;
    const named = left?.stream ?? undefined;
    const from = left?.after_seq ?? 0;
    this.#resumes = named !== undefined && named === eventLog.stream && eventLog.reaches(from);
    if (this.#stage === "attaching") {
      this.#from = this.#resumes ? from : eventLog.seq;
      this.#past = wantsPast && !this.#resumes ? session.past.untilNow() : undefined;
      this.#seam ??= session.past.place();
    }
    return named !== undefined && !this.#resumes;
  }

  /** Begins to send. Returns false where that has begun. */
  start(): boolean {
    if (this.#stage !== "attaching") return false;
    if (this.#past === undefined) this.#sendEvents();
    else void this.#sendHistory(this.#past);
    return true;
  }

  stop(): void {
    this.#stopHistory?.abort();
    this.#seam?.release();
    this.#feed.stop();
    this.#held = [];
  }

  /** A request opens. The client reads the log, where it is; a call is no event, and waits until nothing is missed. */
  opened(request: AnyInteraction): void {
    if (isForClient(request) && !this.isLive) this.#held.push(request);
  }

  /** A request that is open already is put before the client. */
  showOpen(request: AnyInteraction): void {
    const { line, recipientId, requests } = this.#options;
    const opening = isForClient(request) ? undefined : line.session.eventLog.opening(request.id);
    if (opening !== undefined) {
      // The opening comes with the missed events, or came on an earlier connection (P-XAT-5).
      if (opening.marks.seq > this.reached) return;
      if (this.#resumes && opening.wasTold(recipientId)) return;
    }
    if (this.isLive) requests.again(request);
    else this.#held.push(request);
  }

  /** A request is for others than this client now (P-XTO-2). It is told so, unless the opening comes yet and says it. */
  takenOff(request: PersonRequest): void {
    const { line, recipientId, requests } = this.#options;
    const opening = line.session.eventLog.opening(request.id);
    if (opening !== undefined && opening.marks.seq > this.reached) return;
    opening?.untell(recipientId);
    if (this.isLive) requests.again(request);
    else this.#held.push(request);
  }

  /** Replies to an answer, by a reply that stands for the settlement's event where that comes next (P-XAN-2). */
  reply(call: IncomingCall, read: () => Counted): Counted {
    return this.#feed.reply(call, read);
  }

  /** The receiver of a replay. */
  replayTarget(): ReplayTarget {
    return this.#recordsTo(this.#paced(DRAINED_BYTES));
  }

  /** Sends the conversation so far, then what is open, then the numbered events. */
  async #sendHistory(past: Past): Promise<void> {
    const { connection, log, peer } = this.#options.line;
    this.#stage = "history";
    this.#stopHistory = new AbortController();
    const { signal } = this.#stopHistory;
    const pace = this.#paced(HISTORY_BURST);
    try {
      if (!(await tellHistory({ ...past, pace, target: this.#recordsTo(pace), signal }))) return;
    } catch (err) {
      log.error({ connection, err }, "the history could not be told");
      return peer.close(closeCodes.Internal, "the history could not be told");
    }
    this.#past = undefined;
    this.#show((request) => !isForClient(request));
    this.#sendEvents();
  }

  #sendEvents(): void {
    this.#stage = "events";
    this.#feed.start(this.#from);
  }

  /** Shows those of the held requests, and holds the others. */
  #show(isShown: (request: AnyInteraction) => boolean): void {
    const shown = this.#held.filter(isShown);
    this.#held = this.#held.filter((request) => !isShown(request));
    for (const request of shown) this.#options.requests.again(request);
  }

  /** The way of many records to this client, which is waited for each time that many characters are sent. */
  #paced(most: number): Pace {
    return paced(this.#options.pass, this.#options.line.drained, most);
  }

  #recordsTo(pace: Pace): ReplayTarget {
    const { connection, log } = this.#options.line;
    const onUnfit = (type: string, error: unknown) =>
      log.error({ connection, type, error: errorText(error) }, "a message could not be replayed");
    return extendedReplay({ pace, onUnfit });
  }
}
