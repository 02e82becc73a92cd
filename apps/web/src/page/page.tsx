import { visibleLine } from "@askwire/client/text";
import { Failures, leadTo, requestText, useStore } from "@askwire/react/cards";
import { type ReactNode, useEffect } from "react";
import { useAttention } from "../attention/use-attention.js";
import { subjectOf, tellsInbox, type Visit } from "../visits/visit.js";
import type { PagePlace } from "../visits/visits.js";
import type { WaitingRequest } from "../visits/waiting.js";
import { EntrancePage } from "./entrance.js";
import { later } from "./later.js";
import { PagePart } from "./part.js";
import type { AllWords, PageParts } from "./parts.js";
import { SessionPage } from "./session-page.js";
import { useIsWide } from "./use-is-wide.js";

const InboxPage = later(() => import("./inbox-page.js"));
const OverPage = later(() => import("./over-page.js"));
const InboxColumn = later(() => import("./inbox-column.js"));
const Side = later(
  () => import("./side.js"),
  () => <aside className="side" />,
);

type Place = Extract<PagePlace, { is: "session" | "inbox" }>;

/** The page at each place, in the language and the look of the settings. */
export function Page(parts: PageParts): ReactNode {
  const place = useStore(parts.places);
  const words = useStore(parts.texts);
  return (
    <>
      <PagePart name="signals" words={words}>
        <Attention {...parts} words={words} />
      </PagePart>
      <Failures words={words.talk.failure} />
      {place.is === "session" || place.is === "inbox" ? (
        <div className="shell">
          <PagePart name="sessions" words={words}>
            <Beside {...parts} {...{ place, words }} />
          </PagePart>
          {place.is === "session" && place.lists && (
            <PagePart name="requests" words={words}>
              <InboxColumn {...{ place, places: parts.places, words }} />
            </PagePart>
          )}
          <PagePart key={place.key} name="place" words={words}>
            <There {...parts} {...{ place, words }} />
          </PagePart>
        </div>
      ) : (
        <PagePart key={place.is} name="place" words={words}>
          <EntrancePage {...parts} {...{ place, words }} />
        </PagePart>
      )}
    </>
  );
}

/** True where the page shows all that waits. A server without an inbox has made a session instead. */
function isInbox({ is, visit }: Place): boolean {
  const session = visit.connection.session();
  const has = is === "inbox" && (session === undefined || tellsInbox(session));
  return has && (visit.inLobby !== true || session?.id === undefined);
}

/** The end of a connection that lets nobody in, or left nothing to be read. Undefined before that. */
function endOf({ connection, talk }: Visit) {
  const line = connection.current();
  const isBare = line.is === "closed" && (line.ending === "token" || talk.current().entries.length === 0);
  return isBare ? line : undefined;
}

/** The side column, which stays as it is from place to place, where there is room for it and something to list. */
function Beside({ place, places, words }: PageParts & { place: Place; words: AllWords }): ReactNode {
  const { visit } = place;
  useStore(visit.connection);
  const isWide = useIsWide();
  const visits = useStore(places.all);
  const session = visit.connection.session();
  const lists = session === undefined || session.server?.capabilities?.askwire?.watch === true;
  const isOut = endOf(visit)?.ending === "token";
  if (!isWide || ((isOut || !lists) && visits.length < 2)) return null;
  return <Side {...{ visit, places, words }} inInbox={isInbox(place)} />;
}

/** A session, or all that waits. */
function There({
  place,
  ...parts
}: PageParts & {
  readonly place: Place;
  readonly words: AllWords;
}): ReactNode {
  const { visit } = place;
  useStore(visit.connection);
  const isOnly = useStore(parts.places.all).length < 2;
  const line = endOf(visit);
  // Requests of other servers are listed also where this one is out of reach.
  if (line !== undefined && (isOnly || !isInbox(place))) return <OverPage {...parts} {...{ visit, line }} />;
  if (isInbox(place)) return <InboxPage {...parts} visit={visit} />;
  return <SessionPage {...parts} visit={visit} meant={place.is === "session" ? place.request : undefined} />;
}

/** The title of the session that the page shows, with the last part of its folder. Undefined where it has none. */
function useTitle(places: PageParts["places"]): string | undefined {
  const place = useStore(places);
  // The lists of all servers count, and this store changes with each of them.
  useStore(places.waiting);
  if (place.is !== "session") return undefined;
  const { title, folder } = subjectOf(place.visit);
  if (title === undefined) return undefined;
  return visibleLine(folder === undefined ? title : `${title} · ${folder}`);
}

/** The tab's title, icon, language and look, and the signals of new requests. */
function Attention({
  places,
  settings,
  signals,
  words: { page, cards, language },
}: PageParts & { readonly words: AllWords }): null {
  const { asked, listed, elsewhere } = useStore(places.waiting);
  const chosen = useStore(settings);
  const { theme } = chosen;
  const count = asked.length + elsewhere;
  const name = useTitle(places) ?? page.title;
  const title = count === 0 ? name : page.waiting(count, name);
  const lead = ({ visit, request }: WaitingRequest) => {
    const place = places.current();
    if (place.is !== "session" || place.visit !== visit) places.show(visit, request.id);
    // The card is there with the next redraw.
    requestAnimationFrame(() => leadTo(request.id));
  };
  const calls = [
    ...asked.map((one) => ({
      name: one.name,
      text: requestText(one.request, cards),
      session: one.visit.server.isHome ? one.visit.connection.session()?.id : undefined,
      lead: () => lead(one),
    })),
    ...listed.map(({ name, row, visit: { server } }) => ({
      name,
      text: row.text,
      session: server.isHome ? row.session_id : undefined,
      lead: () => places.goTo(row, server.origin),
    })),
  ];
  useAttention({ asked: calls, count, title }, chosen, signals);

  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dataset.theme = theme;
  }, [language, theme]);
  return null;
}
