import { requestsInOrder } from "@askwire/client";
import type { HeardRequest } from "@askwire/protocol";
import { type Clock, paused } from "../device/clock.js";

/** The list of a server over one connection. */
export interface OpenedList {
  /** Gives the whole list, then again whenever it has changed, until the connection ends. */
  readonly lists: AsyncIterable<readonly HeardRequest[]>;
  /** The number of requests that wait there and are not in the list. Default: all are in it. */
  readonly more?: () => number;
  /** The server has no such list: why, in a sentence. */
  readonly unlisted?: string | undefined;
  close(): void;
}

/** Opens the list of a server. The signal gives it up. */
export type ListOpener = (signal: AbortSignal) => Promise<OpenedList>;

/** The state of a server in the inbox. */
export type ServerState = "connecting" | "here" | "away" | "unlisted";

/** The most requests of one server; of more, the first in order are shown. */
const MOST_ROWS = 1_000;
/** The time before a lost server is tried again, in milliseconds: it doubles up to the longest. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** The waiting requests of one server, over all connections to it: the server may go away and come back. */
export class ServerWatch {
  readonly #open: ListOpener;
  readonly #clock: Pick<Clock, "after">;
  readonly #changed: () => void;
  readonly #end = new AbortController();
  #rows: readonly HeardRequest[] = [];
  #waiting = 0;
  #state: ServerState = "connecting";
  #why: string | undefined;
  #lastKnown = 0;

  readonly #wants: ((row: HeardRequest) => boolean) | undefined;

  /**
   * @param changed called after each change of the rows or the state.
   * @param wants true for a row that is shown. Default: all are.
   */
  constructor(
    open: ListOpener,
    clock: Pick<Clock, "after">,
    changed: () => void,
    wants?: (row: HeardRequest) => boolean,
  ) {
    this.#open = open;
    this.#wants = wants;
    this.#clock = clock;
    this.#changed = changed;
    void this.#run();
  }

  get rows(): readonly HeardRequest[] {
    return this.#rows;
  }

  /** The number of requests that wait there: rows, and those beyond them. */
  get waiting(): number {
    return this.#waiting;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** The reason why the server is away or has no list. */
  get why(): string | undefined {
    return this.#why;
  }

  /** The number of requests that waited when the server was last heard. */
  get lastKnown(): number {
    return this.#lastKnown;
  }

  close(): void {
    this.#end.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    let wait = FIRST_WAIT_MS;
    while (!signal.aborted) {
      const problem = await this.#follow(() => {
        wait = FIRST_WAIT_MS;
      });
      if (signal.aborted || this.#state === "unlisted") return;
      this.#is("away", [], problem);
      await paused(this.#clock, wait, signal);
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    }
  }

  /** Follows the list over one connection. Resolves with why that has ended. */
  async #follow(listed: () => void): Promise<string | undefined> {
    const { signal } = this.#end;
    try {
      const opened = await this.#open(signal);
      const close = () => opened.close();
      signal.addEventListener("abort", close, { once: true });
      try {
        if (opened.unlisted !== undefined) return void this.#is("unlisted", [], opened.unlisted);
        for await (const rows of opened.lists) {
          if (signal.aborted) return undefined;
          listed();
          const wanted = this.#wants === undefined ? rows : rows.filter(this.#wants);
          this.#lastKnown = wanted.length + (this.#wants === undefined ? (opened.more?.() ?? 0) : 0);
          this.#is("here", requestsInOrder(wanted).slice(0, MOST_ROWS), undefined, this.#lastKnown);
        }
        return this.#why;
      } finally {
        signal.removeEventListener("abort", close);
        opened.close();
      }
    } catch (error) {
      return (error as Error).message;
    }
  }

  #is(state: ServerState, rows: readonly HeardRequest[], why: string | undefined, waiting = 0): void {
    this.#waiting = waiting;
    this.#state = state;
    this.#rows = rows;
    this.#why = why;
    this.#changed();
  }
}
