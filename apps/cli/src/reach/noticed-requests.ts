import type { AskwireServer, PersonRequest } from "@askwire/server";

/** An open question or approval, and the id of its session. */
export interface NoticedRequest {
  readonly session: string;
  readonly request: PersonRequest;
}

/** Tells the open questions and approvals of all sessions, by id, as they were last in memory: some may have left it. */
export function noticedRequests(server: AskwireServer): () => ReadonlyMap<string, NoticedRequest> {
  const known = new Map<string, NoticedRequest>();
  return () => {
    for (const [session, { pending }] of server.sessions) {
      for (const request of pending) {
        if (request.kind === "question" || request.kind === "approval")
          known.set(request.id, { session, request });
      }
    }
    const open = new Set(server.listRequests().map(({ request_id }) => request_id));
    for (const id of known.keys()) if (!open.has(id)) known.delete(id);
    return known;
  };
}
