import { type CodeSpan, type Highlight, LONGEST_COLOURED } from "../looks/coloured.js";
import { grammarOf } from "./grammar-of.js";
import type { AskedColours } from "./serve-colours.js";

/** The time after which a worker is ended, and its block stays plain, in milliseconds. */
const LONGEST_MS = 200;
/** The time for which a worker may start, in milliseconds. */
const START_MS = 10_000;
/** The most blocks that wait: what came first is then left plain. */
const MOST_WAITING = 100;

type Spans = readonly CodeSpan[] | undefined;

/** A block that waits for its colours. */
interface Job extends AskedColours {
  take(spans: Spans): void;
}

/** The part of a worker that is used. */
export type ColourWorker = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

/**
 * Makes a function that finds the colours of code in a worker, one block after the other. Code over 20,000 characters,
 * of a language without colours, or that takes over 200 ms stays plain: its worker is ended, and the next block gets
 * another. Where no worker starts, all stays plain.
 *
 * @param start starts the worker, whose file calls `serveColours(self)`. Called with the first block.
 */
export function codeColours(start: () => ColourWorker): Highlight {
  const colouring = new Colouring(start);
  return (code, language) => {
    if (code.length > LONGEST_COLOURED || grammarOf(language) === undefined)
      return Promise.resolve(undefined);
    return new Promise((take) => colouring.add({ code, language, take }));
  };
}

class Colouring {
  readonly #start: () => ColourWorker;
  readonly #waiting: Job[] = [];
  #worker: ColourWorker | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: "starting" | "idle" | "off" = "starting";
  #job: Job | undefined;

  constructor(start: () => ColourWorker) {
    this.#start = start;
  }

  add(job: Job): void {
    if (this.#state === "off") return job.take(undefined);
    this.#waiting.push(job);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift()?.take(undefined);
    this.#goOn();
  }

  /** Starts a worker, or gives it the next block once it has none. */
  #goOn(): void {
    if (this.#job !== undefined || this.#waiting.length === 0) return;
    if (this.#worker === undefined) this.#open();
    if (this.#state !== "idle") return;
    this.#job = this.#waiting.shift();
    if (this.#job === undefined) return;
    const { code, language } = this.#job;
    this.#worker?.postMessage({ code, language });
    this.#timer = setTimeout(() => this.#endWorker(), LONGEST_MS);
  }

  #open(): void {
    this.#state = "starting";
    try {
      this.#worker = this.#start();
    } catch {
      return this.#endAll();
    }
    this.#timer = setTimeout(() => this.#endAll(), START_MS);
    this.#worker.onerror = () => (this.#state === "starting" ? this.#endAll() : this.#endWorker());
    this.#worker.onmessage = ({ data }: MessageEvent<{ isReady?: true; spans?: Spans }>) => {
      clearTimeout(this.#timer);
      if (data.isReady === true) this.#state = "idle";
      else this.#finish(data.spans);
      this.#goOn();
    };
  }

  #finish(spans: Spans): void {
    this.#job?.take(spans);
    this.#job = undefined;
  }

  /** Ends a worker that takes too long or has failed. Its block stays plain. */
  #endWorker(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#finish(undefined);
    this.#goOn();
  }

  /** Leaves all plain: no worker starts here. */
  #endAll(): void {
    this.#state = "off";
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#finish(undefined);
    for (const { take } of this.#waiting.splice(0)) take(undefined);
  }
}
