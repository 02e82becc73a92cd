import { whoAnswered } from "@askwire/client/words";
import { defined } from "@askwire/protocol/internal";
import type { AskwireServer, PersonRequest } from "@askwire/server";
import { type NotifyText, noticeOf, type ReachNotice } from "../reach/notice.js";
import { noticedRequests } from "../reach/noticed-requests.js";
import { createNotifier } from "../reach/notifier.js";
import { watchGathered } from "./gathered.js";

export interface NotifyOptions {
  /** Told of every request. Default: nobody is. */
  readonly command: string | undefined;
  /** Commands by role, each told of the requests that are for it. Default: none. */
  readonly byRole?: ReadonlyMap<string, string>;
  readonly text: NotifyText;
  /** The address of the page with a session, without a secret; undefined without a page. */
  readonly url: (session: string) => string | undefined;
  readonly tell: (line: string) => void;
}

/** A request of which commands were told. */
interface Told {
  readonly notice: ReachNotice;
  readonly request: PersonRequest;
  /** The roles whose commands were told. */
  readonly heard: Set<string>;
}

/**
 * Runs the person's command when a question or approval of a server opens, and when it is settled.
 * Returns a function that ends it.
 */
export function notifyOf(
  server: AskwireServer,
  { command, byRole = new Map(), text, url, tell }: NotifyOptions,
): () => void {
  const ofAll = command === undefined ? [] : [createNotifier(command, { tell })];
  const ofRoles = [...byRole].map(
    ([role, line]) => [role, createNotifier(line, { tell, option: "--notify-role" })] as const,
  );
  /** By the id of the request. */
  const told = new Map<string, Told>();

  /** Tells those who have heard of the request, and those whose role it is for. */
  function send(notice: ReachNotice, { heard }: Told): void {
    for (const notifier of ofAll) notifier.send(notice);
    for (const [role, notifier] of ofRoles) {
      const isNew = !heard.has(role) && notice.to?.roles?.includes(role) === true;
      if (isNew) heard.add(role);
      if (isNew && notice.event !== "settled") notifier.send({ ...notice, event: "asked" });
      else if (heard.has(role)) notifier.send(notice);
    }
  }

  const openNow = noticedRequests(server);

  function look(): void {
    const open = openNow();
    for (const [id, { session, request, to }] of open) {
      const known = told.get(id);
      const notice = known?.notice ?? noticeOf(request, { session, text, url: url(session), to });
      const isOther = JSON.stringify(to) !== JSON.stringify(notice.to);
      // One that was opened again is another object.
      const next = {
        notice: isOther ? { ...notice, ...defined({ to }) } : notice,
        request,
        heard: known?.heard ?? new Set(),
      };
      told.set(id, next);
      if (known === undefined) send(next.notice, next);
      else if (isOther) send({ ...next.notice, event: "escalated" }, next);
    }
    for (const [id, last] of told) {
      if (open.has(id)) continue;
      told.delete(id);
      const { notice, request } = last;
      send({ ...notice, event: "settled", ...defined({ by: personOf(request) }) }, last);
    }
  }

  const unwatch = watchGathered(server, look);
  // Requests of an earlier process may be open.
  look();
  return () => {
    unwatch();
    for (const notifier of [...ofAll, ...ofRoles.map(([, each]) => each)]) notifier.close();
  };
}

/** The person who answered, where the door knows one other than the user of this machine. */
const personOf = ({ outcome }: PersonRequest): string | undefined =>
  outcome?.principal === undefined || outcome.principal.via === "local"
    ? undefined
    : whoAnswered(outcome, () => "");
