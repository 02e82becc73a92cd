import { visibleText } from "@askwire/client/text";
import type { PageWords } from "@askwire/client/words";
import { useStore } from "@askwire/react/cards";
import { type ReactNode, useEffect, useState } from "react";
import type { ConnectionEnd } from "../connection/page-connection.js";
import { isReadable } from "../connection/wire-address.js";
import type { Visit } from "../visits/visit.js";
import type { Visits } from "../visits/visits.js";

/** The current connection, with the next step if there is one. A changed line is told to screen readers once. */
export function ConnectionLine({
  visit,
  places,
  words,
}: {
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: PageWords;
}): ReactNode {
  const { connection, server } = visit;
  const line = useStore(connection);
  const isSilent = useStore(connection.outbox).some(({ state }) => state.is === "undelivered");
  const isUp = line.is === "connected";
  const other = server.isHome ? words.otherVersion : words.otherVersionThere;
  const endingOf = (ending: ConnectionEnd) =>
    ending === "token" && server.credentials.isPaired() ? words.revoked.title : words.endings[ending];
  const told = {
    connecting: () => words.connecting,
    connected: () => (isSilent ? words.silent : isUp && line.isOther ? other : words.connected),
    lost: () => words.lost,
    closed: () => (line.is === "closed" ? endingOf(line.ending) : ""),
  }[line.is]();
  return (
    <div className={isUp && !line.isOther && !isSilent ? "line up" : "line"}>
      <p role="status" {...("why" in line && line.why !== "" && { title: visibleText(line.why) })}>
        {told}
      </p>
      {isUp && line.isOther && server.isHome && (
        <button type="button" onClick={() => location.reload()}>
          {words.reload}
        </button>
      )}
      {line.is === "lost" && <Countdown until={line.retryAt} words={words} />}
      {(line.is === "lost" || (isUp && isSilent)) && (
        <button type="button" onClick={() => connection.retry()}>
          {words.tryNow}
        </button>
      )}
      {line.is === "lost" && !server.isHome && connection.session() === undefined && (
        <p className="quiet">
          {words.letIn} <code>--allow-origin {places.home}</code>
        </p>
      )}
      {line.is === "closed" && <WaysOn ending={line.ending} {...{ visit, places, words }} />}
      {isReadable(server.origin) && <p className="warning">{words.readable}</p>}
    </div>
  );
}

/** The next step from a connection that is over. */
function WaysOn({
  ending,
  visit,
  places,
  words,
}: {
  readonly ending: string;
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: PageWords;
}): ReactNode {
  const { server } = visit;
  const session = visit.connection.session()?.id ?? visit.session;
  if (ending === "token") {
    return (
      <button type="button" onClick={() => places.enterAnew(server.origin)}>
        {server.credentials.isPaired() ? words.revoked.enter : words.enterAnew}
      </button>
    );
  }
  if (ending === "replaced" || ending === "failed") {
    return (
      <button type="button" onClick={() => location.reload()}>
        {words.reload}
      </button>
    );
  }
  return (
    <>
      {ending === "kept" && session !== undefined && (
        <button type="button" className="main" onClick={() => places.open(session, server.origin)}>
          {words.openKept}
        </button>
      )}
      <button type="button" onClick={() => places.go(undefined, server.origin)}>
        {words.newSession}
      </button>
    </>
  );
}

/** The seconds until the next attempt. Nobody is read each of them aloud. */
function Countdown({ until, words }: { readonly until: number; readonly words: PageWords }): ReactNode {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1_000);
  return (
    <p role="timer" aria-live="off">
      {seconds > 0 ? words.nextTry(seconds) : words.trying}
    </p>
  );
}
