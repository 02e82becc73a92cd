import type { ClientHandlers, ClientSession, ClientTurn, ConnectionChange, Delivery } from "@askwire/client";
import type { ContentPart } from "@askwire/protocol";
import {
  isWaiting,
  type OpenRequest,
  type OpenRequests,
  openRequests,
  type Store,
  store,
  type TranscriptStore,
  transcript,
} from "@askwire/react/stores";
import type { AgentLink, ShownAgent } from "../view-state.js";
import { NoFolder } from "./no-folder.js";

/** The handlers and the signal of a connection that is opened. */
export interface Dialled {
  readonly handlers: ClientHandlers;
  onConnection(change: ConnectionChange): void;
  onSlowStart(printed: string): void;
  /** Names the agent that is started or attached to. */
  onAgent(agent: ShownAgent): void;
  /** The agent has started, and lets nobody in but this window. */
  onAlone(): void;
  /** Aborted where the connection is no longer awaited. */
  readonly signal: AbortSignal;
}

/** Starts an agent, or attaches to a session of a gateway. */
export type DialSession = (id: string, dialled: Dialled) => Promise<ClientSession>;

/** The way to a session that another process has, by its number. Undefined where that process lets nobody else in. */
export type DialBeside = (holder: string, id: string) => DialSession | undefined;

/** The editor's translation of a text, with its numbered places filled. */
export interface Translation {
  t(text: string, ...values: (string | number)[]): string;
}

/** The bounds of a conversation in the host; the agent's own record is longer. */
const bounds = { entries: 1_000, characters: 2 * 1024 * 1024 };

/** The line of an agent that did not start. */
const endedBy = (error: unknown): AgentLink =>
  error instanceof NoFolder
    ? { is: "noFolder", ...(error.missing !== undefined && { missing: error.missing }) }
    : { is: "ended", why: error instanceof Error ? error.message : String(error) };

/** The time in which changes of a conversation are gathered, in milliseconds. */
const REDRAW_MS = 50;

/** A session with an agent: its connection, its open requests and its conversation. It continues over restarts. */
export class Chat {
  readonly id: string;
  readonly requests: OpenRequests;
  readonly talk: TranscriptStore;
  readonly #dial: DialSession;
  readonly #l10n: Translation;
  readonly #line = store<AgentLink>({ is: "none" });
  readonly #outbox = store<readonly Delivery[]>([]);
  readonly line: Store<AgentLink> = this.#line;
  /** Everything that the person has sent and the agent has not taken. */
  readonly outbox: Store<readonly Delivery[]> = this.#outbox;
  #stopFollowing = () => {};
  #isAlone = false;
  #agent: ShownAgent | undefined;
  #session: ClientSession | undefined;
  #attempt = new AbortController();
  #starting: Promise<unknown> | undefined;
  #ending: Promise<unknown> | undefined;

  constructor(id: string, dial: DialSession, l10n: Translation) {
    // #region stores
    const requests = openRequests();
    const talk = transcript({
      handlers: requests.handlers,
      bounds,
      onFrame: (redraw) => void setTimeout(redraw, REDRAW_MS),
    });
    // #endregion stores
    this.id = id;
    this.requests = requests;
    this.talk = talk;
    this.#dial = dial;
    this.#l10n = l10n;
  }

  /** The first words of the conversation. Empty before them. */
  title(): string {
    const first = this.talk.current().entries.find(({ kind }) => kind === "prompt");
    const words = first?.kind === "prompt" ? first.said.find((part) => typeof part === "string") : undefined;
    return typeof words === "string" ? (words.split("\n", 1)[0]?.slice(0, 80) ?? "") : "";
  }

  /** The connection. Undefined while there is none. */
  session(): ClientSession | undefined {
    return this.#session;
  }

  /** The agent that was started last. Undefined before the first start, and for a session of another window. */
  agent(): ShownAgent | undefined {
    return this.#agent;
  }

  /** True where nobody else can enter the session: its agent is a process of this window and lets no inbox in. */
  isAlone(): boolean {
    return this.#isAlone;
  }

  /** The cards that wait for the person. */
  open(): readonly OpenRequest[] {
    return this.requests.current().filter(isWaiting);
  }

  /**
   * Opens a connection in place of the last one. Resolves with the failure, or with nothing.
   *
   * @param isAwaited true for a failure after which the caller continues, so that nobody is told of an end. Default:
   * false.
   */
  start(isAwaited: (failure: unknown) => boolean = () => false): Promise<unknown> {
    this.#starting = this.#connect(isAwaited);
    return this.#starting;
  }

  /** Opens a connection where there is none, and waits for one that is being opened. */
  async ensure(): Promise<unknown> {
    if (this.#session !== undefined) return undefined;
    return await (this.line.current().is === "starting" ? this.#starting : this.start());
  }

  /** Says something to the agent, as a prompt or into the turn that runs. */
  async say(text: string, attachments: readonly ContentPart[]): Promise<void> {
    if (this.#session === undefined) throw new Error(this.#l10n.t("no agent is connected"));
    const input = attachments.length === 0 ? text : [{ type: "text" as const, text }, ...attachments];
    const onTurn = (begun: ClientTurn) => void this.talk.prompting(begun).result.catch(() => {});
    const turn = await this.#session.outbox.say(input, onTurn);
    // The failure of a later turn is told in the conversation and by the connection.
    turn?.result.catch(() => {});
  }

  /** Ends the connection, and the agent where it is a process. The session is kept. */
  async close(): Promise<void> {
    const signal = await this.#end();
    if (!signal.aborted) this.#line.set({ is: "none" });
  }

  /** Ends the connection, open or not yet. Resolves after the end, with the signal of what comes next. */
  async #end(): Promise<AbortSignal> {
    this.#attempt.abort();
    this.#attempt = new AbortController();
    const { signal } = this.#attempt;
    const last = this.#session;
    this.#session = undefined;
    this.#ending = Promise.allSettled([this.#ending, this.#starting, last?.close()]);
    await this.#ending;
    return signal;
  }

  async #connect(isAwaited: (failure: unknown) => boolean): Promise<unknown> {
    const ended = this.#end();
    this.#line.set({ is: "starting" });
    const signal = await ended;
    if (signal.aborted) return undefined;
    this.talk.reset();
    this.#isAlone = false;
    try {
      const opened = await this.#dial(this.id, {
        handlers: this.talk.handlers,
        signal,
        onSlowStart: (printed) => void (signal.aborted || this.#line.set({ is: "starting", printed })),
        onAgent: (agent) => {
          if (!signal.aborted) this.#agent = agent;
        },
        onAlone: () => {
          if (!signal.aborted) this.#isAlone = true;
        },
        onConnection: (change) => void (signal.aborted || this.#tell(change)),
      });
      if (signal.aborted) await opened.close();
      else this.#follow(opened);
      return undefined;
    } catch (error) {
      if (!signal.aborted && !isAwaited(error)) this.#line.set(endedBy(error));
      return error;
    }
  }

  /** Reports that a connection broke, or that there is one again. */
  #tell(change: ConnectionChange): void {
    if (change.state === "connected" && change.reset) this.talk.reset();
    if (change.state === "connected") this.#line.set({ is: "connected" });
    else this.#line.set({ is: change.state === "lost" ? "lost" : "ended", why: change.cause?.message ?? "" });
  }

  /** Takes a connection that is open, until it ends. */
  #follow(opened: ClientSession): void {
    this.#session = opened;
    this.#stopFollowing();
    this.#stopFollowing = opened.outbox.subscribe(() => this.#outbox.set(opened.outbox.current()));
    this.#outbox.set(opened.outbox.current());
    this.#line.set({ is: "connected" });
    void opened.closed.then((cause) => {
      if (this.#session !== opened) return;
      this.#session = undefined;
      this.#line.set({ is: "ended", why: cause?.message ?? "" });
    });
  }
}
