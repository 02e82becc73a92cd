import { useStore } from "@askwire/react/cards";
import { inboxWords } from "@askwire/react/inbox";
import { type ReactNode, useEffect, useRef } from "react";
import { tellsInbox, type Visit } from "../visits/visit.js";
import type { Visits } from "../visits/visits.js";
import type { AllWords } from "./parts.js";
import { AllSessions } from "./server-sessions.js";
import { Sign } from "./sign.js";
import { useIsWide } from "./use-is-wide.js";
import { useReachable } from "./use-reachable.js";

interface SessionsProps {
  /** The visit that the page shows. */
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: AllWords;
  /** True where the page shows the inbox. Default: it shows a session. */
  readonly inInbox?: boolean;
}

/** The way to the other sessions, of all servers, where they stand not beside. A server of the base profile has none. */
export default function Sessions({ visit, places, words, inInbox = false }: SessionsProps): ReactNode {
  const visits = useStore(places.all);
  const reachable = useReachable(places);
  const isWide = useIsWide();
  // The lists of all servers count, and this store changes with each of them.
  useStore(places.waiting);
  useStore(visit.connection);
  const dialog = useRef<HTMLDialogElement>(null);
  const isOffered = useRef(visit.isNamed || inInbox);
  const own = visit.connection.session();
  const others = visits.flatMap((one) =>
    one.listed.current().filter(({ id }) => one !== visit || id !== own?.id),
  );
  const waiting = others.filter(({ open = 0 }) => open > 0).length;

  // An address that names no session led to a new one, where one of these may have been meant.
  useEffect(() => {
    if (isOffered.current || others.length === 0) return;
    isOffered.current = true;
    dialog.current?.showModal();
  });

  if (isWide) return null;
  if (visits.length + reachable.length < 2 && own?.server?.capabilities?.askwire?.watch !== true) return null;
  const close = () => dialog.current?.close();
  return (
    <>
      {!inInbox && tellsInbox(own) && (
        <button type="button" onClick={() => places.inbox()}>
          <Sign name="inbox">{inboxWords[words.language].way(waiting)}</Sign>
          {waiting > 0 && <b aria-hidden="true">{waiting}</b>}
        </button>
      )}
      <button type="button" onClick={() => dialog.current?.showModal()}>
        <Sign name="sessions">{words.page.sessions(waiting)}</Sign>
      </button>
      <dialog ref={dialog} className="sessions" aria-label={words.page.sessions(0)}>
        <AllSessions {...{ visits, visit, places, words, inInbox }} onBack={close} />
        <div className="buttons">
          <button type="button" onClick={close}>
            {words.page.back}
          </button>
          {reachable.length > 0 && (
            <button type="button" onClick={() => places.add()}>
              {words.page.addServer}
            </button>
          )}
        </div>
      </dialog>
    </>
  );
}
