// The replies of a gateway: tried again, told in words for the model, and awaited for a bounded time.
import { LocalError, WireError } from "@askwire/protocol";
import { CommandFailure } from "../input/failure.js";
import { CallMistake } from "./asking.js";

/** The attempts of an ask whose gateway was replaced by one at another address. */
const ATTEMPTS = 3;

/** Tries again where the connection was closed to be replaced. */
export async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LocalError && error.code === "CLOSED") || tries === ATTEMPTS) throw error;
    }
  }
}

/** Rejects with words for the model, where the server refuses what was asked. */
export async function gatewayReply<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof WireError && error.code === -32011)
      throw new CallMistake("handle: the questions under it are no longer known: ask again without it");
    if (error instanceof WireError && error.code === -32602) throw new CallMistake(error.message);
    throw error;
  }
}

/** Resolves after `ms`, or when the signal comes. */
export function afterwards(ms: number, signal?: AbortSignal) {
  let clear = () => {};
  const over = new Promise<undefined>((resolve) => {
    const end = () => resolve(undefined);
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
    clear = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    };
  });
  return { over, clear: () => clear() };
}

/**
 * Waits for a reply that needs no person. Undefined once the signal comes.
 *
 * @throws Failure where no reply comes within `ms` milliseconds.
 */
export async function inTime<T>(reply: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | undefined> {
  const late = afterwards(ms, signal);
  try {
    const found = await gatewayReply(Promise.race([reply.then((value) => ({ value })), late.over]));
    if (found !== undefined || signal?.aborted) return found?.value;
    throw new CommandFailure("the gateway does not reply: call again, which asks nobody twice");
  } finally {
    late.clear();
  }
}
