import { requestsInOrder } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { Language } from "@askwire/client/words";
import { isWaiting, type OpenRequest } from "@askwire/react/cards";
import { inboxWords } from "@askwire/react/inbox";
import { type ReactNode, useEffect, useRef } from "react";
import type { Visit } from "../visits/visit.js";
import type { Visits } from "../visits/visits.js";
import { useWaitingRows } from "./waiting-rows.js";

/**
 * The way to the next request that waits in another session, while none waits in this one. It has the focus after an
 * answer, so that Enter leads there.
 */
export function NextWaiting({
  visit,
  places,
  list,
  language,
}: {
  readonly visit: Visit;
  readonly places: Visits;
  readonly list: readonly OpenRequest[];
  readonly language: Language;
}): ReactNode {
  const rows = useWaitingRows(places) ?? [];
  const own = visit.connection.session()?.id;
  const elsewhere = rows.filter((row) => row.visit !== visit || row.session_id !== own);
  const [next] = requestsInOrder(elsewhere.filter(({ state }) => state === "open"));
  const waiting = list.filter(isWaiting).length;
  const before = useRef(0);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const isAnswered = before.current > 0 && waiting === 0;
    before.current = waiting;
    const { activeElement: active } = document;
    const isFree = active === null || active === document.body || isEmptyText(active);
    if (isAnswered && isFree) button.current?.focus();
  });
  if (next === undefined || waiting > 0) return null;
  return (
    <button
      ref={button}
      type="button"
      className="next-waiting"
      onClick={() => places.goTo(next, next.visit.server.origin)}
    >
      <bdi dir="auto">{inboxWords[language].next(visibleLine(next.text))}</bdi>
    </button>
  );
}

/** True for the place to write, while nothing is written there. */
const isEmptyText = (element: Element) => element instanceof HTMLTextAreaElement && element.value === "";
