import type {
  ApprovalReply,
  ApprovalView,
  ClientSession,
  QuestionReply,
  QuestionView,
  RequestContext,
} from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import { connectWebSocket, type WebSocketConnectOptions } from "@askwire/client/websocket";
import { addressedIn } from "@askwire/client/words";
import type { HeardOutcome } from "@askwire/protocol";
import type { Clock } from "../device/clock.js";
import type { PersonUpdate } from "../panel/terminal-person.js";
import { CLIENT } from "./places.js";
import type { InboxRow } from "./waiting.js";

/** The one who answers a request of the list. */
export interface RowAnswerer {
  readonly shows: NonNullable<WebSocketConnectOptions["shows"]>;
  question(view: QuestionView, context: RequestContext): PromiseLike<QuestionReply> | QuestionReply;
  approval(view: ApprovalView, context: RequestContext): PromiseLike<ApprovalReply> | ApprovalReply;
  /** Takes the event InteractionUpdated. */
  updated?(update: PersonUpdate): void;
  /** An answer is on its way. */
  answered?(): void;
  /** The request is settled, here or elsewhere. */
  settled?(): void;
  /** Called with the session once it is joined. */
  joined?(session: ClientSession): void;
}

/**
 * The end of an attempt to answer: the request is settled, others must approve it too (P-XQU-3), the person left it open,
 * or it was no longer there.
 */
type AnswerEnd = { readonly settled: HeardOutcome | undefined } | "counted" | "left" | "not there";

/** The time in which a request that is open comes once its session is joined, in milliseconds. */
const COMES_MS = 10_000;

/**
 * Joins the session of a request, puts that request alone to whoever answers, and leaves once it is settled. Leaving
 * earlier decides nothing: the request stays open.
 *
 * @param signal leaves.
 * @throws Error with the reason where the session cannot be joined, or its connection is lost for good.
 */
export async function answerRow(
  { place, request }: InboxRow,
  answerer: RowAnswerer,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: Pick<Clock, "after"> },
): Promise<AnswerEnd> {
  const { names, mayAnswer } = addressedIn(request);
  if (!mayAnswer) throw new Error(`only ${visibleLine(names.join(", "))} may answer this: it is not for you`);
  const { address, token } = await place.reach(request, signal);
  const attempt = new Attempt(signal);
  const one = oneRequest(request.request_id, answerer, attempt);
  try {
    const session = await connectWebSocket(address, {
      client: CLIENT,
      ...(token !== undefined && { token }),
      shows: answerer.shows,
      session: request.session_id,
      openKept: request.state === "kept",
      planMode: true,
      signal,
      handlers: one.handlers,
    });
    attempt.joined(session);
    answerer.joined?.(session);
    if (!one.isPut) attempt.expect(clock);
    return await attempt.ended;
  } catch (error) {
    if (signal.aborted) return "left";
    throw error;
  } finally {
    await attempt.close();
  }
}

/** The end of an attempt, whatever brings it. */
class Attempt {
  readonly ended: Promise<AnswerEnd>;
  readonly #signal: AbortSignal;
  #session: ClientSession | undefined;
  #stopClock = () => {};
  end: (end: AnswerEnd) => void = () => {};
  fail: (error: unknown) => void = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    this.ended = new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
    // The promise may fail before anybody waits for it.
    this.ended.catch(() => {});
    signal.addEventListener("abort", this.#left, { once: true });
  }

  get isLeft(): boolean {
    return this.#signal.aborted;
  }

  joined(session: ClientSession): void {
    this.#session = session;
    void session.closed.then((error) => this.fail(error ?? new Error("the server has closed the session")));
  }

  /** Ends the attempt unless the request comes in time. */
  expect(clock: Pick<Clock, "after">): void {
    this.#stopClock = clock.after(COMES_MS, () => this.end("not there"));
  }

  came(): void {
    this.#stopClock();
  }

  async close(): Promise<void> {
    this.#stopClock();
    this.#signal.removeEventListener("abort", this.#left);
    await this.#session?.close();
  }

  readonly #left = () => this.end("left");
}

/** Puts one request of a session, and leaves the others to whoever else is there. */
function oneRequest(id: string, answerer: RowAnswerer, attempt: Attempt) {
  let isPut = false;
  const over = (outcome: HeardOutcome | undefined) => {
    answerer.settled?.();
    attempt.end({ settled: outcome });
  };

  /** Nothing that fails here is told to the server: it would take this client for one that cannot ask. */
  async function put<Reply>(
    asked: string,
    { signal, onDelivery }: RequestContext,
    ask: () => PromiseLike<Reply> | Reply,
  ): Promise<Reply> {
    if (asked !== id) return never<Reply>();
    isPut = true;
    attempt.came();
    onDelivery((state) => {
      if (state.is === "late" && state.outcome !== undefined) over(state.outcome);
      else if (state.is === "late" || state.is === "failed") attempt.fail(new Error(state.problem));
    });
    try {
      const reply = await ask();
      if (attempt.isLeft) return never<Reply>();
      answerer.answered?.();
      return reply;
    } catch (error) {
      if (!signal.aborted && !attempt.isLeft) attempt.fail(error);
      return never<Reply>();
    }
  }

  const handlers: NonNullable<WebSocketConnectOptions["handlers"]> = {
    question: (view, context) => put(view.id, context, () => answerer.question(view, context)),
    approval(view, context) {
      if (view.id === id && view.quorum !== undefined)
        context.onDelivery(({ is }) => is === "taken" && attempt.end("counted"));
      return put(view.id, context, () => answerer.approval(view, context));
    },
    event(event) {
      if (event.type === "InteractionUpdated") answerer.updated?.(event.payload);
      if (event.type === "InteractionSettled" && event.payload.request_id === id) over(event.payload.outcome);
    },
  };
  return {
    handlers,
    get isPut() {
      return isPut;
    },
  };
}

const never = <T>() => new Promise<T>(() => {});
