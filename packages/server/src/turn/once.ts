import { LocalError } from "@askwire/protocol";
import { Interrupted } from "../agent/interrupted.js";
import type { TurnInit } from "./turn-init.js";

/** Does a piece of work once in a turn, as `Turn.once` says (P-RES-7). */
export async function once<T>(
  { signal, progress, memory }: Pick<TurnInit, "signal" | "progress" | "memory">,
  key: string,
  work: () => T | Promise<T>,
  { again = false }: { again?: boolean } = {},
): Promise<T> {
  signal.throwIfAborted();
  progress.keys ??= new Set();
  if (progress.keys.has(key)) {
    throw new LocalError("INVALID_STATE", `turn.once: the key ${JSON.stringify(key)} was used in this turn`);
  }
  progress.keys.add(key);
  const done = memory?.facts.done(key);
  if (done !== undefined) return done.value as T;
  if (!again) {
    if (memory?.facts.isBegun(key) === true) throw new Interrupted(key);
    await memory?.begin(key);
  }
  const value = await work();
  signal.throwIfAborted();
  await memory?.end(key, value);
  return value;
}
