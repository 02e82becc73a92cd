import type { AskwireServer } from "@askwire/server";

/** The time in which changes are gathered, in milliseconds. */
const GATHER_MS = 200;

/** Calls `look` after changes of what sessions show, once for many. Returns a function that ends that. */
export function watchGathered(server: AskwireServer, look: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const unwatch = server.watchSessions(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      look();
    }, GATHER_MS).unref();
  });
  return () => {
    unwatch();
    clearTimeout(timer);
  };
}
