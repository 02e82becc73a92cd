import { useStore } from "@askwire/react/cards";
import { InboxList, inboxWords } from "@askwire/react/inbox";
import type { ReactNode } from "react";
import type { PagePlace, Visits } from "../visits/visits.js";
import type { AllWords } from "./parts.js";
import { claimOfRow } from "./row-claims.js";
import { useIsWide } from "./use-is-wide.js";
import { useWaitingCount, useWaitingRows, type WaitingRow } from "./waiting-rows.js";

/** The list by which a person came to a request, beside the session with its card, where there is room for both. */
export default function InboxColumn({
  place: { visit, request },
  places,
  words: { language },
}: {
  readonly place: Extract<PagePlace, { is: "session" }>;
  readonly places: Visits;
  readonly words: AllWords;
}): ReactNode {
  const rows = useWaitingRows(places);
  const all = useWaitingCount(places);
  const isOne = useStore(places.all).length < 2;
  if (!useIsWide()) return null;
  return (
    <div className="listed">
      <InboxList<WaitingRow>
        requests={rows}
        all={all}
        onOpen={(row) => places.goTo(row, row.visit.server.origin)}
        isCurrent={(row) => row.visit.server === visit.server && row.request_id === request}
        claimOf={claimOfRow}
        serverOf={(row) => (isOne ? undefined : new URL(row.visit.server.origin).host)}
        words={inboxWords[language]}
      />
    </div>
  );
}
