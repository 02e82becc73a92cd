import { SessionList, useKeptSessions, useStore } from "@askwire/react";
import type { ReactNode } from "react";
import type { Visit } from "../visits/visit.js";
import type { Visits } from "../visits/visits.js";
import type { AllWords } from "./parts.js";
import { VisitLine } from "./visit-line.js";

/** The sessions of all servers, each server's in a list of its own. */
export const AllSessions = ({
  visits,
  visit,
  places,
  words,
  inInbox,
  onBack,
}: {
  readonly visits: readonly Visit[];
  /** The visit that the page shows. */
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: AllWords;
  /** True where the page shows the inbox, and no session. */
  readonly inInbox: boolean;
  /** Leads back to the session that the page shows. */
  onBack(): void;
}): ReactNode =>
  visits.map((one) => (
    <ServerSessions
      key={one.server.origin}
      {...{ visit: one, places, words, onBack }}
      isShown={one === visit && !inInbox}
      isOnly={visits.length === 1}
    />
  ));

/** The sessions of one server; of several with the connection to each, and the way to forget one. */
function ServerSessions({
  visit,
  places,
  words,
  isShown,
  isOnly,
  onBack,
}: {
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: AllWords;
  /** True for the server that the page shows. */
  readonly isShown: boolean;
  readonly isOnly: boolean;
  /** Leads back to the session that the page shows. */
  onBack(): void;
}): ReactNode {
  const { connection, listed, inbox, server } = visit;
  const sessions = useStore(listed);
  const waiting = useStore(inbox);
  const line = useStore(connection);
  const session = connection.session();
  const current = isShown ? session?.id : undefined;
  const reached = line.is === "connected" ? session : undefined;
  const kept = useKeptSessions(reached, sessions.length);

  function open(id: string): void {
    if (id === current) onBack();
    else places.go(id, server.origin);
  }

  return (
    <div className="server">
      <SessionList
        sessions={sessions}
        {...(!isOnly && { heading: new URL(server.origin).host })}
        {...(current !== undefined && { current })}
        onOpen={open}
        {...(reached?.may("prompt") && {
          onNew: async () => places.go((await reached.createSession()).id, server.origin, true),
          onResume: (id: string) => places.open(id, server.origin),
        })}
        kept={kept.sessions}
        {...(kept.more !== undefined && { onMoreKept: kept.more })}
        {...(waiting !== undefined && { waiting })}
        {...(reached?.may("close") && { onClose: reached.closeSession })}
        words={words.talk}
      >
        {!isOnly && <VisitLine {...{ visit, places, words }} />}
      </SessionList>
      {!server.isHome && (
        <button type="button" onClick={() => places.forget(server.origin)}>
          {words.page.forgetServer}
        </button>
      )}
    </div>
  );
}
