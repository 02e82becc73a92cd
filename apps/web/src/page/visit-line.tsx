import { ConnectionLine, useStore } from "@askwire/react/cards";
import type { ReactNode } from "react";
import { isReadable } from "../connection/wire-address.js";
import type { Visit } from "../visits/visit.js";
import type { Visits } from "../visits/visits.js";
import type { AllWords } from "./parts.js";

/** The connection of a visit, with the ways on that this page has. */
export function VisitLine({
  visit,
  places,
  words: { page, connection: own },
}: {
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: AllWords;
}): ReactNode {
  const { connection, server } = visit;
  const link = useStore(connection);
  const session = connection.session()?.id ?? visit.session;
  const ending = link.is === "closed" ? link.ending : undefined;
  const isPaired = server.credentials.isPaired();
  return (
    <ConnectionLine
      className="line"
      link={link}
      outbox={useStore(connection.outbox)}
      words={lineWords(own, {
        otherVersion: server.isHome ? page.otherVersion : page.otherVersionThere,
        token: isPaired ? page.revoked.title : own.endings.token,
      })}
      onRetry={connection.retry}
      {...((ending !== undefined || server.isHome) && { onReload: () => location.reload() })}
      {...(session !== undefined && { onOpenKept: () => places.open(session, server.origin) })}
    >
      {link.is === "lost" && !server.isHome && connection.session() === undefined && (
        <p className="quiet">
          {page.letIn} <code>--allow-origin {places.home}</code>
        </p>
      )}
      {ending === "token" && (
        <button type="button" onClick={() => places.enterAnew(server.origin)}>
          {isPaired ? page.revoked.enter : page.enterAnew}
        </button>
      )}
      {(ending === "session" || ending === "kept" || ending === "ended") && (
        <button type="button" onClick={() => places.go(undefined, server.origin)}>
          {page.newSession}
        </button>
      )}
      {isReadable(server.origin) && <p className="warning">{page.readable}</p>}
    </ConnectionLine>
  );
}

const lineWords = (
  words: AllWords["connection"],
  { token, ...own }: { readonly otherVersion: string; readonly token: string },
) => ({ ...words, ...own, endings: { ...words.endings, token } });
