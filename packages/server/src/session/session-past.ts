import type { OwnRecord } from "../journal/entries.js";
import type { Journal } from "../journal/journal.js";
import type { LinePlace } from "../journal/kept-lines.js";
import { type ReplayEnd, type ReplayTarget, replayTo } from "../journal/replay.js";
import { atMost, type Clock } from "../runtime/clock.js";
import type { Past, UntoldEnd } from "./past.js";
import type { SessionAgent } from "./session-agent.js";
import type { SessionEvents } from "./session-events.js";
import type { TurnGate } from "./turn-gate.js";

/** The time for writing the end of a turn, in milliseconds. */
const WRITE_MS = 1_000;

export interface SessionPastOptions {
  readonly journal: Journal | undefined;
  readonly events: Pick<SessionEvents, "log" | "isWhole">;
  readonly agent: Pick<SessionAgent, "now">;
  readonly turns: Pick<TurnGate, "turnId" | "refuseWhileBusy">;
  readonly clock: Clock;
}

/** The record of a session: the ends of turns are written to it, and clients are sent it. */
export class SessionPast {
  readonly #journal: Journal | undefined;
  readonly #events: SessionPastOptions["events"];
  readonly #agent: SessionPastOptions["agent"];
  readonly #turns: SessionPastOptions["turns"];
  readonly #clock: Clock;
  /** The end of the turn that is being written, which no client was told. */
  #untoldEnd: UntoldEnd | undefined;

  constructor({ journal, events, agent, turns, clock }: SessionPastOptions) {
    this.#journal = journal;
    this.#events = events;
    this.#agent = agent;
    this.#turns = turns;
    this.#clock = clock;
  }

  /** All that clients were told up to this moment: of the journal, or as far as the log has it (P-XHI-2). */
  untilNow(): Past {
    const journal = this.#journal;
    if (journal === undefined) {
      const entries = this.#events.log.kept();
      return {
        whole: this.#events.isWhole,
        entries,
        replay: (target, signal) => this.#replayKept(target, signal),
      };
    }
    const part = { until: journal.place(), without: this.#untoldEnd };
    return {
      whole: true,
      replay: async (target, signal) => {
        await this.#replayKept(target, signal);
        await journal.replay(target, signal, part);
      },
    };
  }

  /**
   * Sends the record of the journal to one client, as far as it went when this began (P-JRN-10), and while a turn runs
   * up to the attach of the client (P-XRP-2).
   *
   * @param seam the end of the journal at the attach. Default: the client may not replay during a turn.
   * @throws WireError InvalidState while a turn runs, without a seam.
   */
  async replay(target: ReplayTarget, signal: AbortSignal, seam?: LinePlace): Promise<ReplayEnd> {
    if (seam === undefined) this.#turns.refuseWhileBusy();
    const kept = await this.#replayKept(target, signal);
    if (this.#journal === undefined || kept.status === "cancelled") return kept;
    const { status, events, requests } = await this.#replayOwn(this.#journal, target, signal, seam);
    return { status, events: kept.events + events, requests: kept.requests + requests };
  }

  /** Sends the messages that the agent has kept of before this session. */
  async #replayKept(target: ReplayTarget, signal: AbortSignal): Promise<ReplayEnd> {
    return await replayTo({ ...target, records: this.#agent.now.past ?? [], signal });
  }

  #replayOwn(
    journal: Journal,
    target: ReplayTarget,
    signal: AbortSignal,
    seam: LinePlace | undefined,
  ): Promise<ReplayEnd> {
    if (seam === undefined || this.#turns.turnId === undefined) return journal.replay(target, signal);
    // The place is read later, and kept for another replay.
    const until = {
      get at() {
        return seam.at;
      },
      release() {},
    };
    return journal.replay(target, signal, { until });
  }

  /** The end of the journal at this moment. Its owner releases it. */
  place(): LinePlace | undefined {
    return this.#journal?.place();
  }

  /**
   * Writes the end of a turn, so that readers of the file find all of it. The wait for a slow disk is bounded. Undefined
   * where nothing is kept.
   */
  turnEnds(ended: OwnRecord<"TurnEnded">): Promise<void> | undefined {
    return this.#journal && this.#write(this.#journal, ended);
  }

  /** Clients were told the end of the turn. */
  turnEndTold(): void {
    this.#untoldEnd?.from.release();
    this.#untoldEnd?.to.release();
    this.#untoldEnd = undefined;
  }

  async #write(journal: Journal, ended: OwnRecord<"TurnEnded">): Promise<void> {
    const saving = journal.saveHistory?.();
    if (saving !== undefined) await this.#atMost(saving);
    const from = journal.place();
    journal.turnEnded(ended);
    this.#untoldEnd = { from, to: journal.place() };
    await this.#atMost(journal.flush());
  }

  /** Waits for the records of what clients are still to be told. The wait for a slow disk is bounded. */
  async untilSynced(): Promise<void> {
    const syncing = this.#journal?.synced();
    if (syncing !== undefined) await this.#atMost(syncing);
  }

  /** Waits for the disk for a bounded time, whether it fails or not. */
  async #atMost(writing: Promise<void>): Promise<void> {
    await atMost(
      this.#clock,
      WRITE_MS,
      writing.catch(() => {}),
    );
  }
}
