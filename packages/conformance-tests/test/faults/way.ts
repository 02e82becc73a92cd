import type { FaultKind, FaultPlan, Side } from "./fault.js";
import { nextTurn, quiet } from "./quiet.js";

/** A direction of a connection. Hands messages on in order, under the faults. */
export interface Way<M> {
  /** True once nothing more is handed on. */
  readonly ended: boolean;
  send(message: M): void;
  /** Closes it after what was sent. */
  finish(): void;
  /** Hands on nothing more, not even what waits. */
  end(): void;
  /** Lets go of a message that waits for one of the other direction. */
  release(): void;
}

/** The receiver of a way's messages. */
export interface WayOut<M> {
  /** True for a message that faults count. Default: each is counted. */
  counts?(message: M): boolean;
  deliver(message: M): void;
  /** As much of it as gets through when the connection breaks in the middle. */
  deliverHalf(message: M): void;
  /** The connection breaks. */
  cut(kind: FaultKind): void;
  /** A message was handed on whole. */
  delivered(): void;
  /** Nothing more comes, and all was handed on. */
  finished(): void;
}

/** Messages until the second time of one that comes again: by then what it asked for is long done. */
const LATER = 8;

/** @param plan shared with the other direction, and with the connections that come after this one. */
export function faultyWay<M>(plan: FaultPlan, to: Side, out: WayOut<M>): Way<M> {
  const queue: { message: M; fault: FaultKind | undefined }[] = [];
  let pumping = false;
  let ended = false;
  let finishing = false;
  let release = () => {};
  /** The message that comes a second time, after so many other messages. */
  let repeated: { message: M; after: number } | undefined;

  function deliver(message: M): void {
    out.deliver(message);
    if (out.counts?.(message) === false) return;
    out.delivered();
    if (repeated === undefined) return;
    repeated.after -= 1;
    if (repeated.after > 0) return;
    out.deliver(repeated.message);
    repeated = undefined;
  }

  async function hold(): Promise<void> {
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const messages = () => plan.counts.server + plan.counts.client;
    // The other side may have nothing to say until it has this message.
    await Promise.race([released, quiet(messages)]);
  }

  async function pump(): Promise<void> {
    if (pumping) return;
    pumping = true;
    await undefined;
    for (let next = queue.shift(); next !== undefined && !ended; next = queue.shift()) {
      const { message, fault } = next;
      if (fault === "delayed") await hold();
      if (ended) return;
      switch (fault) {
        case undefined:
        case "delayed":
          deliver(message);
          break;
        case "twice":
          deliver(message);
          deliver(message);
          break;
        case "again later":
          deliver(message);
          repeated = { message, after: LATER };
          break;
        case "cut after":
          deliver(message);
          out.cut(fault);
          break;
        case "cut before":
          out.cut(fault);
          break;
        default:
          out.deliverHalf(message);
          // Later words of the sender are lost too.
          await nextTurn();
          out.cut(fault);
      }
    }
    pumping = false;
    if (finishing && !ended) out.finished();
  }

  return {
    get ended() {
      return ended;
    },
    send(message) {
      if (ended || finishing) return;
      const counted = out.counts?.(message) ?? true;
      queue.push({ message, fault: counted ? plan.next(to) : undefined });
      void pump();
    },
    finish() {
      finishing = true;
      void pump();
    },
    end() {
      ended = true;
      queue.length = 0;
      release();
    },
    release: () => release(),
  };
}
