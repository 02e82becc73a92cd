import { type IncomingCall, WireError } from "@askwire/protocol";
import { Room, unitsOf } from "@askwire/protocol/internal";
import type { UntilSettled } from "../brought/until-settled.js";
import { RequestSettled } from "../contract/settled.js";
import { untilAborted } from "../runtime/until-aborted.js";

/** The most calls that may run at once. */
const MOST_RUNNING = 10_000;
/** The most answers kept in case their call comes again, and the UTF-16 units of all. */
const MOST_KEPT = { count: 256, units: 16 * 1_048_576 };

interface Running {
  readonly controller: AbortController;
  readonly answer: Promise<unknown>;
}

/**
 * The tool calls and hooks for this client, over all connections (P-XTH-2). Each `request_id` runs once. Its answer
 * goes out on the newest connection, each time that it is asked for.
 */
export class RunningCalls {
  readonly #running = new Map<string, Running>();
  /** The last answers, oldest first. */
  readonly #answered = new Map<string, { readonly answer: Promise<unknown>; readonly units: number }>();
  #room = new Room(MOST_KEPT);

  /**
   * @param work what answers the call, always with an answer. It is given how to run what may be overtaken.
   * @throws WireError `-32020` where too many run.
   */
  run<R>(
    requestId: string,
    call: IncomingCall,
    work: (untilSettled: UntilSettled) => Promise<R>,
  ): Promise<R> {
    call.onCancel(() => this.settled(requestId));
    const known = this.#running.get(requestId)?.answer ?? this.#answered.get(requestId)?.answer;
    if (known !== undefined) return known as Promise<R>;
    if (this.#running.size >= MOST_RUNNING) {
      const data = { limit: "runningCalls" };
      throw new WireError("Overloaded", `more than ${MOST_RUNNING} calls run`, { data });
    }
    const controller = new AbortController();
    const { signal } = controller;
    const answer = work((_id, _toolCallId, run) => untilAborted(signal, run(signal)));
    this.#running.set(requestId, { controller, answer });
    answer.then(
      (given) => this.#end(requestId, answer, unitsOf(given)),
      () => this.#end(requestId, answer, 0),
    );
    return answer;
  }

  /** The server has an end of it without this client's answer. */
  settled(requestId: string): void {
    this.#running.get(requestId)?.controller.abort(new RequestSettled("it was settled"));
  }

  /** Overtakes whatever is no longer open. */
  keep(pending: ReadonlySet<string>): void {
    const why = "it was settled while the connection was lost";
    for (const [id, { controller }] of this.#running) {
      if (!pending.has(id)) controller.abort(new RequestSettled(why));
    }
  }

  /** The session ends. */
  close(): void {
    for (const { controller } of this.#running.values()) {
      controller.abort(new RequestSettled("the connection closed"));
    }
    this.#running.clear();
    this.#answered.clear();
    this.#room = new Room(MOST_KEPT);
  }

  #end(requestId: string, answer: Promise<unknown>, units: number): void {
    if (!this.#running.delete(requestId)) return;
    this.#answered.set(requestId, { answer, units });
    this.#room.put(units);
    for (const [oldest, kept] of this.#answered) {
      if (!this.#room.isOver) return;
      this.#answered.delete(oldest);
      this.#room.leave(kept.units);
    }
  }
}
