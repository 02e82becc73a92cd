import { visibleLine } from "@askwire/client/text";
import type { PageWords } from "@askwire/client/words";
import { useStore } from "@askwire/react/cards";
import type { ReactNode } from "react";
import { subjectOf, type Visit } from "../visits/visit.js";
import type { Visits } from "../visits/visits.js";

/** The title of the session over its folder; without one, the name of the page. */
export function TitleBar({
  visit,
  places,
  words,
}: {
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: PageWords;
}): ReactNode {
  // The lists of all servers count, and this store changes with each of them.
  useStore(places.waiting);
  useStore(visit.connection);
  const { title, folder } = subjectOf(visit);
  return (
    <div className="titles">
      <h1>
        <bdi dir="auto">{title === undefined ? words.title : visibleLine(title)}</bdi>
      </h1>
      {folder !== undefined && (
        <p className="quiet">
          <bdi dir="auto">{visibleLine(folder)}</bdi>
        </p>
      )}
    </div>
  );
}
