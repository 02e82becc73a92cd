import { useStore } from "@askwire/react";
import { lazy, type ReactNode, Suspense, useRef } from "react";
import type { PageConnection } from "../connection/page-connection.js";
import { ConnectionLine } from "./connection-line.js";
import { Dock } from "./dock.js";
import { LoadedLater } from "./loaded-later.js";
import type { AllWords, PageParts } from "./page.js";
import { PairedLine } from "./paired-line.js";
import { SettingsDialog } from "./settings-dialog.js";
import type { Visit } from "./visit.js";

// The first question waits for none of these.
const Sessions = lazy(() => import("./sessions.js"));
const Talk = lazy(() => import("./talk.js"));
const Prompt = lazy(() => import("./prompt.js"));

/** A session: its connection, the conversation, the requests that wait for the person, and a place to write. */
export function SessionPage({
  visit,
  words,
  ...parts
}: PageParts & { readonly visit: Visit; readonly words: AllWords }): ReactNode {
  const { connection, requests, server } = visit;
  const { places } = parts;
  const list = useStore(requests);
  const { page } = words;
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <div className="session">
      <header>
        <h1>{page.title}</h1>
        <LoadedLater words={page}>
          <Suspense>
            <Sessions visit={visit} places={places} words={words} />
          </Suspense>
        </LoadedLater>
        <button type="button" onClick={() => dialog.current?.showModal()}>
          {page.settings}
        </button>
        {!server.isHome && <p className="quiet subject">{new URL(server.origin).host}</p>}
        {visit.isPaired && <PairedLine credentials={server.credentials} words={page} />}
        <ConnectionLine visit={visit} places={places} words={page} />
      </header>
      <main>
        <LoadedLater words={page}>
          <Suspense fallback={<div className="talk" />}>
            <Talk visit={visit} words={words} />
          </Suspense>
        </LoadedLater>
        <Dock {...{ list, words, drafts: server.drafts, shows: takenBy(connection) }} />
        <LoadedLater words={page}>
          <Suspense>
            <Prompt visit={visit} words={words.talk} tab={server.tab} />
          </Suspense>
        </LoadedLater>
      </main>
      <SettingsDialog ref={dialog} {...parts} server={server} words={page} />
    </div>
  );
}

/** Features that the server takes beside a choice; none in the base profile. */
function takenBy({ session }: PageConnection) {
  const { notes, skip, attachments } = session()?.server?.capabilities?.askwire ?? {};
  return { notes: notes === true, skip: skip === true, attachments: attachments === true };
}
