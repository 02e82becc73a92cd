import { useStore } from "@askwire/react/cards";
import { inboxWords } from "@askwire/react/inbox";
import type { ReactNode } from "react";
import { tellsInbox, type Visit } from "../visits/visit.js";
import type { Visits } from "../visits/visits.js";
import type { AllWords } from "./parts.js";
import { AllSessions } from "./server-sessions.js";
import { useReachable } from "./use-reachable.js";
import { useWaitingRows } from "./waiting-rows.js";

/** The side column of a wide page: the inbox, the sessions of all servers, and the connection. */
export default function Side({
  visit,
  places,
  words,
  inInbox,
}: {
  /** The visit that the page shows. */
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: AllWords;
  readonly inInbox: boolean;
}): ReactNode {
  const visits = useStore(places.all);
  const reachable = useReachable(places);
  const waiting = useWaitingRows(places)?.length ?? 0;
  const line = useStore(visit.connection);
  const isUp = line.is === "connected";
  const { page } = words;
  return (
    <aside className="side" aria-label={page.sessions(0)}>
      <p className="head">
        <img src="/icon.svg" alt="" /> {page.title}
      </p>
      {tellsInbox(visit.connection.session()) && (
        <button
          type="button"
          className={waiting > 0 ? "to-inbox waits" : "to-inbox"}
          aria-current={inInbox ? "page" : undefined}
          onClick={() => places.inbox()}
        >
          {inboxWords[words.language].way(waiting)}
        </button>
      )}
      <div className="lists">
        <AllSessions {...{ visits, visit, places, words, inInbox }} onBack={() => {}} />
      </div>
      {reachable.length > 0 && (
        <button type="button" className="add-server" onClick={() => places.add()}>
          {page.addServer}
        </button>
      )}
      <p className="foot" aria-hidden="true" {...(isUp && { "data-up": "" })}>
        {new URL(visit.server.origin).host}
      </p>
    </aside>
  );
}
