import type { ClientSession } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import { SessionList, useSessions, useStore } from "@askwire/react";
import { type ReactNode, useEffect, useRef } from "react";
import type { AllWords } from "./page.js";
import type { Visit, Visits } from "./visits.js";

interface SessionsProps {
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: AllWords;
}

/** The way to the other sessions of the server. Whoever may only answer has none, nor has the base profile. */
export default function Sessions(props: SessionsProps): ReactNode {
  const { connection } = props.visit;
  useStore(connection);
  const session = connection.session();
  if (session?.server?.capabilities?.askwire?.watch !== true || session.role === "answer") return null;
  return <Watched {...props} session={session} />;
}

function Watched({
  visit,
  places,
  words,
  session,
}: SessionsProps & { readonly session: ClientSession }): ReactNode {
  const { sessions = [] } = useSessions(session);
  const dialog = useRef<HTMLDialogElement>(null);
  const isOffered = useRef(visit.isNamed);
  const others = sessions.filter(({ id }) => id !== session.id);
  const waiting = others.filter(({ open = 0 }) => open > 0).length;
  const title = sessions.find(({ id }) => id === session.id)?.title;

  // An address that names no session led to a new one, where one of these may have been meant.
  useEffect(() => {
    if (isOffered.current || others.length === 0) return;
    isOffered.current = true;
    dialog.current?.showModal();
  });

  function open(id: string): void {
    if (id === session.id) dialog.current?.close();
    else places.go(id);
  }

  return (
    <>
      {title !== undefined && (
        <p className="quiet subject">
          <bdi dir="auto">{visibleLine(title)}</bdi>
        </p>
      )}
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {words.page.sessions(waiting)}
      </button>
      <dialog ref={dialog} className="sessions" aria-label={words.page.sessions(0)}>
        <SessionList
          sessions={sessions}
          {...(session.id !== undefined && { current: session.id })}
          onOpen={open}
          onNew={async () => open((await session.createSession()).id)}
          onClose={session.closeSession}
          words={words.talk}
        />
        <div className="buttons">
          <button type="button" className="main" onClick={() => dialog.current?.close()}>
            {words.page.back}
          </button>
        </div>
      </dialog>
    </>
  );
}
