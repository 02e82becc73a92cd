import type { HeardRequest } from "@askwire/protocol";
import { useStore } from "@askwire/react/cards";
import { tellsInbox, type Visit } from "../visits/visit.js";
import type { Visits } from "../visits/visits.js";

/** A request that waits, and the visit to its server. */
export type WaitingRow = HeardRequest & { readonly visit: Visit };

/** The number of all that waits on all servers: a list of it may have its first rows alone. */
export function useWaitingCount(places: Visits): number {
  const visits = useStore(places.all);
  useStore(places.waiting);
  const counts = visits.map(({ inbox, inboxAll }) =>
    inbox.current() === undefined ? 0 : inboxAll.current(),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** All that waits on all servers. Undefined until one of them has said so, or none is to be asked. */
export function useWaitingRows(places: Visits): readonly WaitingRow[] | undefined {
  const visits = useStore(places.all);
  // The lists of all servers count, and this store changes with each of them.
  useStore(places.waiting);
  const known = visits.filter(({ inbox }) => inbox.current() !== undefined);
  const isAwaited = visits.some(({ connection }) => {
    const session = connection.session();
    return connection.current().is !== "closed" && (session === undefined || tellsInbox(session));
  });
  if (known.length === 0 && isAwaited) return undefined;
  return known.flatMap((visit) => (visit.inbox.current() ?? []).map((one) => ({ ...one, visit })));
}
