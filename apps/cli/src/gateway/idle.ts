import type { AskwireServer, Clock } from "@askwire/server";

/**
 * Resolves once no client has been connected and nothing has been open for so long.
 *
 * @param idleMs milliseconds.
 */
export function untilIdle(server: AskwireServer, idleMs: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    let cancel: (() => void) | undefined;
    const look = () => {
      const isUsed = server.listSessions().some(({ connections, open = 0 }) => connections > 0 || open > 0);
      if (isUsed) {
        cancel?.();
        cancel = undefined;
        return;
      }
      cancel ??= clock.after(idleMs, () => {
        unwatch();
        resolve();
      });
    };
    // Watchers are told in the middle of a change.
    const unwatch = server.watchSessions(() => queueMicrotask(look));
    look();
  });
}
