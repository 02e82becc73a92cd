import { mayBeLeft } from "../runtime/may-be-left.js";
import type { Interaction } from "./interaction.js";

/** The options of a wait. */
export interface WaitOptions {
  /** Takes the request back when aborted. The wait then throws its reason. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** A request that this process can give up. */
type Retractable = Pick<Interaction<unknown>, "outcome"> & { reject(error: unknown): boolean };

/**
 * Waits for the end of a request, and takes it back when the signal is aborted (P-OUT-5).
 *
 * @throws the reason of the signal, and whatever `wait` throws.
 */
export const waitOrTakeBack = <T>(
  request: Retractable,
  { signal }: WaitOptions,
  wait: () => Promise<T>,
): Promise<T> => (signal === undefined ? wait() : mayBeLeft(waitWith(signal, request, wait)));

async function waitWith<T>(signal: AbortSignal, request: Retractable, wait: () => Promise<T>): Promise<T> {
  const takeBack = () => void request.reject(signal.reason);
  if (signal.aborted) takeBack();
  else signal.addEventListener("abort", takeBack);
  try {
    return await wait();
  } catch (error) {
    if (request.outcome?.reason === "agent") signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", takeBack);
  }
}
