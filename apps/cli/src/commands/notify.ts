import { whoAnswered } from "@askwire/client/words";
import { defined } from "@askwire/protocol/internal";
import type { AskwireServer, PersonRequest } from "@askwire/server";
import { type NotifyText, noticeOf, type ReachNotice } from "../reach/notice.js";
import { noticedRequests } from "../reach/noticed-requests.js";
import { createNotifier } from "../reach/notifier.js";
import { watchGathered } from "./gathered.js";

export interface NotifyOptions {
  readonly command: string;
  readonly text: NotifyText;
  /** The address of the page with a session, without a secret; undefined without a page. */
  readonly url: (session: string) => string | undefined;
  readonly tell: (line: string) => void;
}

/**
 * Runs the person's command when a question or approval of a server opens, and when it is settled.
 * Returns a function that ends it.
 */
export function notifyOf(server: AskwireServer, { command, text, url, tell }: NotifyOptions): () => void {
  const notifier = createNotifier(command, { tell });
  /** By the id of the request. */
  const told = new Map<string, { readonly notice: ReachNotice; readonly request: PersonRequest }>();

  const openNow = noticedRequests(server);

  function look(): void {
    const open = openNow();
    for (const [id, { session, request }] of open) {
      const known = told.get(id);
      const notice = known?.notice ?? noticeOf(request, { session, text, url: url(session) });
      // One that was opened again is another object.
      told.set(id, { notice, request });
      if (known === undefined) notifier.send(notice);
    }
    for (const [id, { notice, request }] of told) {
      if (open.has(id)) continue;
      told.delete(id);
      notifier.send({ ...notice, event: "settled", ...defined({ by: personOf(request) }) });
    }
  }

  const unwatch = watchGathered(server, look);
  // Requests of an earlier process may be open.
  look();
  return () => {
    unwatch();
    notifier.close();
  };
}

/** The person who answered, where the door knows one other than the user of this machine. */
const personOf = ({ outcome }: PersonRequest): string | undefined =>
  outcome?.principal === undefined || outcome.principal.via === "local"
    ? undefined
    : whoAnswered(outcome, () => "");
