import { closeCodes, LocalError, type MessageChannel } from "@askwire/protocol";
import { errorText, randomId } from "@askwire/protocol/internal";
import { type BaseConversation, baseConversation } from "../base/base-conversation.js";
import { type AgentConnection, openAgentConnection } from "../connection/agent-connection.js";
import { type Hello, helloOf, reportOffers } from "../connection/handshake.js";
import { FinalError, KeptConnection, watchSilence } from "../connection/reconnect.js";
import type { ProfileConversation, SessionPlace } from "../contract/conversation.js";
import { Deliveries } from "../contract/deliveries.js";
import { Observer } from "../contract/observer.js";
import { Offered } from "../contract/offered.js";
import type { ConnectionChange, ConnectOptions, Dial, DialedChannel, Offers } from "../contract/session.js";
import { ExtendedConversation } from "../extended/extended-conversation.js";
import { LobbyConversation } from "../extended/lobby-conversation.js";
import { dial, readRefusal } from "./dial.js";
import { SaidWords } from "./said-words.js";

/** The options of a session, with those that have a default. */
export type LastingSessionOptions = ConnectOptions &
  Required<Pick<ConnectOptions, "validate" | "timing" | "initializeTimeoutMs">>;

/** The inside of a session: a lasting conversation, and its connections one after the other. */
export class LastingSession {
  readonly #to: DialedChannel | Dial<DialedChannel>;
  readonly #redials: boolean;
  readonly #options: LastingSessionOptions;
  /** Undefined for a client of the base profile. */
  readonly #clientId: string | undefined;
  readonly #offered: Offered;
  readonly #deliveries: Deliveries;
  readonly #base: BaseConversation;
  /** Made with the first connection that has the extended profile. */
  #extended: ExtendedConversation | undefined;
  /** Made with the first connection, where that joined no session. */
  #lobby: LobbyConversation | undefined;
  readonly said: SaidWords;
  readonly observer: Observer;
  readonly kept: KeptConnection<AgentConnection>;

  /**
   * @param redials true if a lost connection is opened again by the function `to`.
   * @param options change with what the session declares later.
   */
  constructor(to: DialedChannel | Dial<DialedChannel>, redials: boolean, options: LastingSessionOptions) {
    const { validate, timing } = options;
    this.#to = to;
    this.#redials = redials;
    this.#options = options;
    this.#clientId = options.profile === "base" ? undefined : (options.clientId ?? randomId());
    this.#offered = new Offered(options);
    this.#deliveries = new Deliveries(timing);
    this.said = new SaidWords(this.#deliveries);
    this.observer = new Observer(options.handlers ?? {}, this.#report, (event) => this.said.heard(event));
    this.#base = baseConversation(options, this.#offered, validate, this.observer, this.#report);
    this.kept = new KeptConnection({
      open: (stop) => this.#open(stop),
      opened: (connection) => this.#opened(connection),
      isKept: () => redials && (this.#extended ?? this.#lobby) !== undefined,
      lost: (cause, retryInMs) => this.#lost(cause, retryInMs),
      ended: (cause) => this.#ended(cause),
      timing,
    });
  }

  /** The conversation of the negotiated profile. */
  get conversation(): ProfileConversation {
    return this.#extended ?? this.#lobby ?? this.#base;
  }

  get id(): string | undefined {
    return this.#extended?.place?.id;
  }

  /** Opens a lost connection, or one on which no word comes, anew. */
  reconnect(): void {
    const isUndelivered = this.#deliveries.isUndelivered;
    if (!isUndelivered || !this.#replace("the server is silent on what was sent")) this.kept.retry();
  }

  /** Makes the introduction with other offers, which count once the server has taken them. */
  declare<T>(offers: Offers, tell: (hello: Hello) => Promise<T>): Promise<T> {
    return this.#offered.change(offers, (all) => tell(helloOf(all, this.#offered, this.#clientId)));
  }

  /** The session to attach to; undefined for a new one. */
  get #place(): SessionPlace | undefined {
    const { session: id, openKept } = this.#options;
    if (this.#clientId === undefined) return undefined;
    return (
      this.#extended?.place ?? (id === undefined ? id : { id, ...(openKept === true && { open: true }) })
    );
  }

  async #open(stop?: AbortSignal): Promise<AgentConnection> {
    const to = this.#to;
    const { timing, initializeTimeoutMs } = this.#options;
    const channel = typeof to === "function" ? await dial(to, stop, timing, initializeTimeoutMs) : to;
    const place = this.#place;
    const connection = await this.#introduce(channel, place, stop);
    const { attached } = connection;
    if (this.#lobby !== undefined && connection.server?.lobby === undefined) {
      connection.close();
      throw new FinalError("BAD_PEER", "the server wants a session now");
    }
    if (place !== undefined && attached?.id !== place.id) {
      connection.close();
      const where = attached === undefined ? "it has no extended profile" : `it attached to ${attached.id}`;
      throw new FinalError("BAD_PEER", `the server does not go on with session ${place.id}: ${where}`);
    }
    channel.introduced?.();
    return connection;
  }

  #introduce(channel: MessageChannel, place: SessionPlace | undefined, stop: AbortSignal | undefined) {
    const isWatched = this.#redials && this.#clientId !== undefined;
    return openAgentConnection({
      ...this.#options,
      channel: isWatched ? watchSilence(channel, this.#options.timing, this.#silent) : channel,
      hello: helloOf(this.#options, this.#offered, this.#clientId, place),
      base: this.#base,
      report: this.#report,
      stop,
    }).catch((error) => {
      throw this.#extended === undefined ? error : readRefusal(error);
    });
  }

  #opened(connection: AgentConnection): void {
    const { server, attached } = connection;
    if (this.#extended === undefined) reportOffers(server, this.#options, this.#report);
    if (server?.lobby !== undefined) return this.#inLobby(connection);
    if (attached === undefined) {
      this.#base.introduced(connection.peer, server);
      connection.begin(this.#base);
      this.#deliveries.connected(false);
      return this.#changed({ state: "connected", reset: false });
    }
    this.#extended ??= this.#extendedConversation();
    const mayUse = server?.capabilities?.askwire;
    const reset = this.#extended.attached(connection.peer, attached, mayUse ?? undefined);
    this.#changed({ state: "connected", reset });
    connection.begin(this.#extended);
    this.#deliveries.connected(true);
    this.#extended.resume();
  }

  #inLobby(connection: AgentConnection): void {
    this.#lobby ??= new LobbyConversation(() => this.kept.works());
    this.#changed({ state: "connected", reset: false });
    connection.begin(this.#lobby);
    this.#deliveries.connected(true);
    this.#lobby.attached(connection.peer);
  }

  #extendedConversation(): ExtendedConversation {
    const { validate, timing } = this.#options;
    return new ExtendedConversation({
      options: this.#options,
      offered: this.#offered,
      validate,
      observer: this.observer,
      deliveries: this.#deliveries,
      timing,
      report: this.#report,
      reopen: (why) => {
        this.#report(`out of step with the server: ${why}`);
        return this.#replace(why);
      },
      silent: this.#silent,
      works: () => this.kept.works(),
    });
  }

  #lost(cause: Error, retryInMs: number): void {
    this.#extended?.lost();
    this.#lobby?.lost();
    this.#deliveries.lost();
    this.#changed({ state: "lost", cause, retryInMs });
  }

  #ended(cause: Error | undefined): void {
    this.conversation.ended(cause);
    this.#deliveries.close(cause);
    this.#changed({ state: "closed", ...(cause !== undefined && { cause }) });
  }

  #silent = (): void => void this.#replace("nothing was heard from the server");

  /** Opens the connection anew and returns true. A channel that was given open cannot be opened again. */
  #replace(why: string): boolean {
    return this.kept.reopen(new LocalError("CLOSED", why), closeCodes.Replaced);
  }

  #changed(change: ConnectionChange): void {
    try {
      this.#options.onConnection?.(change);
    } catch (error) {
      this.#report(`connection handler: ${change.state}: ${errorText(error)}`);
    }
  }

  /** Reports a problem. A log that fails has no other log to tell. */
  #report = (problem: string): void => {
    try {
      this.#options.onProblem?.(problem);
    } catch {}
  };
}
