import type { AskedWords } from "@askwire/client/words";
import type { Paint } from "../device/paint.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { ShownTranscript } from "./agent-transcript.js";
import { LateAnswers } from "./late-answers.js";
import { whyGone } from "./settled-elsewhere.js";

interface Place {
  readonly lines: Pick<LineFeed, "typing" | "untilSent" | "ended">;
  readonly transcript: Pick<ShownTranscript, "line">;
  readonly paint: Paint;
}

/** A request for a person at the keyboard. */
interface Asked<T> {
  /** The request, for the line about begun words. */
  readonly title: string;
  readonly signal: AbortSignal;
  /** Asks for lines. An interrupt or an abort ends the wait for a line; after an interrupt `until` is new. */
  ask(until: () => AbortSignal): Promise<T>;
  /** The reply of a person who interrupts. */
  readonly interrupted: T;
}

/** The reason of a wait that a person has interrupted. */
export const INTERRUPTED = new Error("interrupted");

/** The requests of a person who answers in lines: one at a time, in order of arrival. */
export class AskedInTurn {
  readonly #place: Place;
  readonly #words: AskedWords;
  readonly #late = new LateAnswers();
  #last: Promise<unknown> = Promise.resolve();
  /** The wait for a line of the current request. */
  #wait: Wait | undefined;

  constructor(place: Place, words: AskedWords) {
    this.#place = place;
    this.#words = words;
  }

  /** Waits for the terminal, and for the end of begun words, then asks. */
  ask<T>(asked: Asked<T>): Promise<T> {
    const mine = this.#last.then(() => this.#ask(asked));
    this.#last = mine.catch(() => {});
    return mine;
  }

  /** Interrupts the current request. False if there is none. */
  interrupt(): boolean {
    this.#wait?.interrupt();
    return this.#wait !== undefined;
  }

  async #ask<T>({ title, signal, ask, interrupted }: Asked<T>): Promise<T> {
    signal.throwIfAborted();
    this.#late.asked(signal);
    const wait = new Wait(signal);
    // Immediately, so that the line precedes those that follow the settlement.
    const gone = () => this.#gone(signal, wait);
    signal.addEventListener("abort", gone, { once: true });
    try {
      await this.#untilSent(title, signal);
      this.#wait = wait;
      const answer = await ask(() => wait.again());
      this.#late.answered(signal, (settled) =>
        this.#tell(this.#words.didNotCount(whyGone(settled, this.#words))),
      );
      return answer;
    } catch (error) {
      if (error === INTERRUPTED) return interrupted;
      throw error;
    } finally {
      signal.removeEventListener("abort", gone);
      this.#wait = undefined;
    }
  }

  async #untilSent(title: string, signal: AbortSignal): Promise<void> {
    const { lines } = this.#place;
    if (!lines.typing) return;
    this.#tell(this.#words.waitsForLine(title));
    await lines.untilSent(signal);
  }

  #gone({ reason }: AbortSignal, wait: Wait): void {
    wait.end(reason);
    // A client that leaves at the end of its input leaves the request open for others.
    const { ended } = this.#place.lines;
    if (ended !== undefined && ended !== "typed") return;
    this.#tell(this.#words.noLongerOpen(whyGone(reason, this.#words)));
  }

  #tell(text: string): void {
    this.#place.transcript.line(this.#place.paint("dim", text));
  }
}

/** A wait that the person can interrupt, then begin anew, until the request has ended. */
class Wait {
  readonly #request: AbortSignal;
  #stop = new AbortController();

  constructor(request: AbortSignal) {
    this.#request = request;
  }

  again(): AbortSignal {
    const wasInterrupted = this.#stop.signal.reason === INTERRUPTED;
    if (wasInterrupted && !this.#request.aborted) this.#stop = new AbortController();
    return this.#stop.signal;
  }

  interrupt(): void {
    this.#stop.abort(INTERRUPTED);
  }

  end(reason: unknown): void {
    this.#stop.abort(reason);
  }
}
