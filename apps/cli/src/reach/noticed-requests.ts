import type { Addressees } from "@askwire/protocol";
import type { AskwireServer, PersonRequest } from "@askwire/server";

/** An open question or approval, and the id of its session. */
export interface NoticedRequest {
  readonly session: string;
  readonly request: PersonRequest;
  /** Those who alone may answer it now; undefined where anybody may. */
  readonly to: Addressees | undefined;
}

/** Tells the open questions and approvals of all sessions, by id, as they were last in memory: some may have left it. */
export function noticedRequests(server: AskwireServer): () => ReadonlyMap<string, NoticedRequest> {
  const known = new Map<string, NoticedRequest>();
  return () => {
    for (const [session, { pending }] of server.sessions) {
      for (const request of pending) {
        if (request.kind === "question" || request.kind === "approval")
          known.set(request.id, { session, request, to: request.addressing?.to });
      }
    }
    const open = new Map(
      server.listRequests().map((row) => [row.request_id, row.to as Addressees | undefined]),
    );
    for (const [id, noticed] of known) {
      if (open.has(id)) known.set(id, { ...noticed, to: open.get(id) });
      else known.delete(id);
    }
    return known;
  };
}
