import { atMost, type Clock } from "../runtime/clock.js";

/**
 * The parts of a server by which it takes no further session: it is `stopping`, it has as many `sessions` as it may have,
 * or its `store` gives no answer.
 */
export const serverParts = ["stopping", "sessions", "store"] as const;
/** A value of {@link serverParts}. */
export type ServerPart = (typeof serverParts)[number];

/** The time in which a store has to answer, in milliseconds. */
const STORE_MS = 5_000;

export interface ReadinessOptions {
  readonly isStopping: () => boolean;
  readonly isFull: () => boolean;
  /** Asks the store something small. Undefined where there is none. */
  readonly askStore: (() => Promise<unknown>) | undefined;
  readonly clock: Clock;
}

/** Finds why a server takes no further session. The store is asked once at a time, however many want to know. */
export function readiness({
  isStopping,
  isFull,
  askStore,
  clock,
}: ReadinessOptions): () => Promise<ServerPart[]> {
  let asked: Promise<boolean> | undefined;

  async function storeAnswers(ask: () => Promise<unknown>): Promise<boolean> {
    let answers = false;
    const answered = Promise.resolve()
      .then(ask)
      .then(
        () => {
          answers = true;
        },
        () => {},
      );
    await atMost(clock, STORE_MS, answered);
    asked = undefined;
    return answers;
  }

  return async () => {
    if (isStopping()) return ["stopping"];
    if (askStore !== undefined) asked ??= storeAnswers(askStore);
    const answers = (await asked) ?? true;
    // The server may have been told to stop while its store was asked.
    if (isStopping()) return ["stopping"];
    return [...(isFull() ? (["sessions"] as const) : []), ...(answers ? [] : (["store"] as const))];
  };
}
