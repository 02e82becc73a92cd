/** Turns of the event loop without a message after which nothing more is on its way. */
const QUIET_TURNS = 30;

export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Resolves once this holds. Rejects at the signal. */
export async function until(holds: () => boolean, bound: AbortSignal): Promise<void> {
  while (!holds()) {
    bound.throwIfAborted();
    await nextTurn();
  }
}

/** Resolves once this figure has stayed the same for a while, counted in turns of the event loop. */
export async function quiet(figure: () => number, turns = QUIET_TURNS): Promise<void> {
  let last = figure();
  for (let same = 0; same < turns; same++) {
    await nextTurn();
    if (figure() !== last) same = 0;
    last = figure();
  }
}
