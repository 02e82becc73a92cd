import type { ObservedRequest, ServerObserver } from "../../src/index.js";

/** An observer that notes all that it is told, in lines. */
export function noting(): Required<ServerObserver> & { readonly notes: string[] } {
  const notes: string[] = [];
  const openings = new Set<ObservedRequest>();
  /** Says whether the end is told with the object of the opening. */
  const name = (request: ObservedRequest) =>
    openings.delete(request) ? request.kind : `unopened ${request.kind}`;
  return {
    notes,
    requestOpened(request) {
      openings.add(request);
      notes.push(`${request.kind} ${request.isRestored ? "restored" : "opened"}`);
    },
    requestSettled(request, { status, reason = "", by, waitedMs = "not" }) {
      notes.push(`${name(request)} ${status} ${reason} by ${by}, waited ${waitedMs}`);
    },
    requestLeft: (request) => void notes.push(`${name(request)} left`),
    sessionOpened: ({ isKept, state }) =>
      void notes.push(`session opened, ${isKept ? "" : "not "}kept, ${state}`),
    sessionClosed: ({ state }) => void notes.push(`session closed, ${state}`),
    committed: ({ result, records, tookMs }) =>
      void notes.push(`commit of ${records} ${result} in ${tookMs}`),
  };
}
