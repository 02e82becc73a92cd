import { useStore } from "@askwire/react";
import { type ReactNode, useEffect, useState } from "react";
import type { PageConnection } from "../connection/page-connection.js";
import { isReadable } from "../connection/wire-address.js";
import type { PageWords } from "../words/page-words.js";
import type { Visits } from "./visits.js";

/** The connection as it is, with the next step where there is one. A line that changes is told to screen readers once. */
export function ConnectionLine({
  connection,
  places,
  words,
}: {
  readonly connection: PageConnection;
  readonly places: Visits;
  readonly words: PageWords;
}): ReactNode {
  const line = useStore(connection);
  const isUp = line.is === "connected";
  const told = {
    connecting: () => words.connecting,
    connected: () => (isUp && line.isOther ? words.otherVersion : words.connected),
    lost: () => words.lost,
    closed: () => (line.is === "closed" ? words.endings[line.ending] : ""),
  }[line.is]();
  return (
    <div className={isUp && !line.isOther ? "line up" : "line"}>
      <p role="status" {...("why" in line && line.why !== "" && { title: line.why })}>
        {told}
      </p>
      {isUp && line.isOther && (
        <button type="button" onClick={() => location.reload()}>
          {words.reload}
        </button>
      )}
      {line.is === "lost" && (
        <>
          <Countdown until={line.retryAt} words={words} />
          <button type="button" onClick={() => connection.retry()}>
            {words.tryNow}
          </button>
        </>
      )}
      {line.is === "closed" && <WaysOn ending={line.ending} places={places} words={words} />}
      {isReadable(location) && <p className="warning">{words.readable}</p>}
    </div>
  );
}

/** The next step from a connection that is over. */
function WaysOn({
  ending,
  places,
  words,
}: {
  readonly ending: string;
  readonly places: Visits;
  readonly words: PageWords;
}): ReactNode {
  if (ending === "token") {
    return (
      <button type="button" onClick={() => places.leave()}>
        {words.enterAnew}
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
    <button type="button" onClick={() => places.go(undefined)}>
      {words.newSession}
    </button>
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
