/** Turns of the event loop without a message after which none is on its way. */
const QUIET = 3;

const nextTurn: (action: () => void) => void =
  typeof setImmediate === "function" ? setImmediate : (action) => setTimeout(action, 0);

/**
 * Runs `action` once nothing has come for a few turns of the event loop. The library hands on a message a turn. The end
 * of the transport overtakes waiting messages.
 *
 * @param came gives the number of messages so far.
 */
export function onceQuiet(came: () => number, action: () => void): void {
  let last = came();
  let quiet = 0;
  const look = () => {
    const now = came();
    quiet = now === last ? quiet + 1 : 0;
    last = now;
    if (quiet === QUIET) action();
    else nextTurn(look);
  };
  nextTurn(look);
}
