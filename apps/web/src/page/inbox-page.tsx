import { tellsDecisions } from "@askwire/client/decisions";
import { useStore } from "@askwire/react/cards";
import { InboxList, type InboxWords, inboxWords } from "@askwire/react/inbox";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Visit } from "../visits/visit.js";
import type { Visits } from "../visits/visits.js";
import { later } from "./later.js";
import { PairedLine } from "./paired-line.js";
import { PagePart } from "./part.js";
import type { AllWords, PageParts } from "./parts.js";
import { claimOfRow } from "./row-claims.js";
import Sessions from "./sessions.js";
import { useIsWide } from "./use-is-wide.js";
import { VisitLine } from "./visit-line.js";
import { useWaitingCount, useWaitingRows, type WaitingRow } from "./waiting-rows.js";

const Buttons = later(() => import("./bar-buttons.js"));
const Decided = later(() => import("./decided.js"));

type View = "open" | "decided";

const hostOf = ({ server }: Visit) => new URL(server.origin).host;

/** All that waits for the person, over all sessions of all servers, and the way to a new session. */
export default function InboxPage({
  visit,
  words,
  ...parts
}: PageParts & { readonly visit: Visit; readonly words: AllWords }): ReactNode {
  const { places } = parts;
  const { page, language } = words;
  const visits = useStore(places.all);
  const rows = useWaitingRows(places);
  const all = useWaitingCount(places);
  const main = useRef<HTMLElement>(null);
  const [view, setView] = useState<View>("open");
  const own = inboxWords[language];
  const isOne = visits.length < 2;
  const isWide = useIsWide();
  const { is } = useStore(visit.connection);
  // An empty list would say that nothing waits, of a server that lets nobody in.
  const isUnknown = is === "closed" && (rows?.length ?? 0) === 0;

  // Focus at the beginning of the list, for people who came by a key.
  useEffect(() => {
    main.current?.querySelector<HTMLElement>("h2")?.focus();
  }, []);

  return (
    <div className="session inbox">
      <header>
        <div className="titles">
          <h1>{page.title}</h1>
        </div>
        <PagePart name="sessions" words={words}>
          <Sessions visit={visit} places={places} words={words} inInbox />
        </PagePart>
        <PagePart name="settings" words={words}>
          <Buttons {...parts} visit={visit} words={page} language={language} />
        </PagePart>
        {visit.isPaired && (
          <PagePart name="paired" words={words}>
            <PairedLine credentials={visit.server.credentials} words={page} />
          </PagePart>
        )}
        {!visit.server.isHome && <p className="quiet subject">{hostOf(visit)}</p>}
        <PagePart name="connection" words={words}>
          <VisitLine {...{ visit, places, words }} />
        </PagePart>
      </header>
      <main ref={main}>
        {visits.map((one) =>
          one === visit ? null : (
            <PagePart key={one.server.origin} name="connection" words={words}>
              <Elsewhere {...{ places, words }} visit={one} />
            </PagePart>
          ),
        )}
        {(isWide ? [] : visits).map((one) => (
          <PagePart key={one.server.origin} name="sessions" words={words}>
            <NewSession {...{ places, words }} visit={one} isOne={isOne} />
          </PagePart>
        ))}
        <PagePart name="requests" words={words}>
          <Views view={view} visits={visits} words={own.decided.views} onChange={setView} />
        </PagePart>
        <PagePart name="requests" words={words}>
          {view === "decided" && (
            <Decided visits={[visit, ...visits.filter((one) => one !== visit)]} words={words} />
          )}
          {!isUnknown && view === "open" && (
            <InboxList<WaitingRow>
              requests={rows}
              all={all}
              onOpen={(row) => places.goTo(row, row.visit.server.origin)}
              claimOf={claimOfRow}
              serverOf={(row) => (isOne ? undefined : hostOf(row.visit))}
              words={own}
            >
              <p>{own.emptyNext}</p>
            </InboxList>
          )}
        </PagePart>
      </main>
      {isWide && view === "open" && (rows?.length ?? 0) > 0 && (
        <aside className="choose quiet">{own.choose}</aside>
      )}
    </div>
  );
}

/** The choice between what waits and what was decided, where a server tells that. */
function Views({
  view,
  visits,
  words,
  onChange,
}: {
  readonly view: View;
  readonly visits: readonly Visit[];
  readonly words: InboxWords["decided"]["views"];
  onChange(view: View): void;
}): ReactNode {
  const isTold = visits.some(({ connection }) => {
    const session = connection.session();
    return session !== undefined && tellsDecisions(session);
  });
  if (!isTold && view === "open") return null;
  return (
    <div className="askwire askwire-inbox views">
      <fieldset className="askwire-segment">
        <legend className="askwire-unseen">{words.name}</legend>
        {(["open", "decided"] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="view" checked={view === one} onChange={() => onChange(one)} />
            {words[one]}
          </label>
        ))}
      </fieldset>
    </div>
  );
}

/** The state of another server, where it is out of reach: what waits there may be missing. */
function Elsewhere({
  visit,
  places,
  words,
}: {
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: AllWords;
}): ReactNode {
  const { is } = useStore(visit.connection);
  if (is !== "lost" && is !== "closed") return null;
  return (
    <div className="elsewhere">
      <p className="quiet">{hostOf(visit)}</p>
      <VisitLine {...{ visit, places, words }} />
    </div>
  );
}

/** Makes a session on a server, and leads there, where no list beside does. Nothing for whoever may only answer. */
function NewSession({
  visit: { connection, server },
  places,
  words,
  isOne,
}: {
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: AllWords;
  readonly isOne: boolean;
}): ReactNode {
  const own = inboxWords[words.language];
  const [problem, setProblem] = useState("");
  const line = useStore(connection);
  const session = connection.session();
  if (session === undefined || line.is !== "connected" || !session.may("prompt")) return null;
  const make = () =>
    session.createSession().then(
      ({ id }) => places.go(id, server.origin, true),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  return (
    <div className="buttons">
      <button type="button" onClick={() => void make()}>
        {own.newSession}
        {!isOne && ` · ${new URL(server.origin).host}`}
      </button>
      <p role="status">{problem !== "" && own.notDone(problem)}</p>
    </div>
  );
}
