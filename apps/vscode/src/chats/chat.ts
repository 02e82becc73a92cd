// A session with an agent: its connection, its open requests and its conversation. It goes on over restarts.
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
import type { Line } from "../view-state.js";

/** The handlers and the signal of a connection that is opened. */
export interface Dialled {
  readonly handlers: ClientHandlers;
  onConnection(change: ConnectionChange): void;
  onSlowStart(printed: string): void;
  /** Aborted where the connection is no longer awaited. */
  readonly signal: AbortSignal;
}

/** Starts an agent, or attaches to a session of a gateway. */
export type Dial = (id: string, dialled: Dialled) => Promise<ClientSession>;

/** The editor's translation of a text, with its numbered places filled. */
export interface Translation {
  t(text: string, ...values: (string | number)[]): string;
}

export interface Chat {
  readonly id: string;
  readonly line: Store<Line>;
  readonly requests: OpenRequests;
  readonly talk: TranscriptStore;
  /** Everything that the person has sent and the agent has not taken. */
  readonly outbox: Store<readonly Delivery[]>;
  /** The first words of the conversation. Empty before them. */
  title(): string;
  /** The connection. Undefined while there is none. */
  session(): ClientSession | undefined;
  /** The cards that wait for the person. */
  open(): readonly OpenRequest[];
  /**
   * Opens a connection in place of the last one. Resolves with the failure, or with nothing.
   *
   * @param isAwaited true for a failure after which the caller goes on, so that nobody is told of an end. Default: none.
   */
  start(isAwaited?: (failure: unknown) => boolean): Promise<unknown>;
  /** Opens a connection where there is none, and waits for one that is being opened. */
  ensure(): Promise<unknown>;
  /** Says something to the agent, as a prompt or into the turn that runs. */
  say(text: string, attachments: readonly ContentPart[]): Promise<void>;
  /** Ends the connection, and the agent where it is a process. The session is kept. */
  close(): Promise<void>;
}

/** The bounds of a conversation in the host; the agent's own record is longer. */
const bounds = { entries: 1_000, characters: 2 * 1024 * 1024 };

/** The time in which changes of a conversation are gathered, in milliseconds. */
const REDRAW_MS = 50;

export function chat(id: string, dial: Dial, l10n: Translation): Chat {
  // #region stores
  const requests = openRequests();
  const talk = transcript({
    handlers: requests.handlers,
    bounds,
    onFrame: (redraw) => void setTimeout(redraw, REDRAW_MS),
  });
  // #endregion stores
  const { set: setOutbox, ...outbox } = store<readonly Delivery[]>([]);
  let stopFollowing = () => {};
  const { set: setLine, ...line } = store<Line>({ is: "none" });
  let session: ClientSession | undefined;
  let attempt = new AbortController();
  let starting: Promise<unknown> | undefined;
  let ending: Promise<unknown> | undefined;

  /** Ends the connection, open or not yet. Resolves after the end, with the signal of what comes next. */
  async function end(): Promise<AbortSignal> {
    attempt.abort();
    attempt = new AbortController();
    const { signal } = attempt;
    const last = session;
    session = undefined;
    ending = Promise.allSettled([ending, starting, last?.close()]);
    await ending;
    return signal;
  }

  async function open(isAwaited: (failure: unknown) => boolean): Promise<unknown> {
    const ended = end();
    setLine({ is: "starting" });
    const signal = await ended;
    if (signal.aborted) return undefined;
    talk.reset();
    try {
      const opened = await dial(id, {
        handlers: talk.handlers,
        signal,
        onSlowStart: (printed) => void (signal.aborted || setLine({ is: "starting", printed })),
        onConnection(change) {
          if (signal.aborted) return;
          if (change.state === "connected" && change.reset) talk.reset();
          if (change.state === "connected") setLine({ is: "connected" });
          else setLine({ is: change.state === "lost" ? "lost" : "ended", why: change.cause?.message ?? "" });
        },
      });
      if (signal.aborted) return void (await opened.close());
      session = opened;
      stopFollowing();
      stopFollowing = opened.outbox.subscribe(() => setOutbox(opened.outbox.current()));
      setOutbox(opened.outbox.current());
      setLine({ is: "connected" });
      void opened.closed.then((cause) => {
        if (session !== opened) return;
        session = undefined;
        setLine({ is: "ended", why: cause?.message ?? "" });
      });
      return undefined;
    } catch (error) {
      if (!signal.aborted && !isAwaited(error))
        setLine({ is: "ended", why: error instanceof Error ? error.message : String(error) });
      return error;
    }
  }

  function start(isAwaited: (failure: unknown) => boolean = () => false): Promise<unknown> {
    starting = open(isAwaited);
    return starting;
  }

  return {
    ...{ id, line, requests, talk, outbox, start },
    title() {
      const first = talk.current().entries.find(({ kind }) => kind === "prompt");
      const words =
        first?.kind === "prompt" ? first.said.find((part) => typeof part === "string") : undefined;
      return typeof words === "string" ? (words.split("\n", 1)[0]?.slice(0, 80) ?? "") : "";
    },
    session: () => session,
    open: () => requests.current().filter(isWaiting),
    async ensure() {
      if (session !== undefined) return undefined;
      return await (line.current().is === "starting" ? starting : start());
    },
    async say(text, attachments) {
      if (session === undefined) throw new Error(l10n.t("no agent is connected"));
      const input = attachments.length === 0 ? text : [{ type: "text" as const, text }, ...attachments];
      const onTurn = (begun: ClientTurn) => void talk.prompting(begun).result.catch(() => {});
      const turn = await session.outbox.say(input, onTurn);
      // The failure of a later turn is told in the conversation and by the connection.
      turn?.result.catch(() => {});
    },
    async close() {
      const signal = await end();
      if (!signal.aborted) setLine({ is: "none" });
    },
  };
}
