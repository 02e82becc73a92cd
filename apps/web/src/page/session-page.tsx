import { type LastingConnection, leadTo, type OpenRequest, useStore } from "@askwire/react/cards";
import { type ReactNode, useEffect, useRef } from "react";

import type { Visit } from "../visits/visit.js";
import { PageDock } from "./dock.js";
import { markdownAhead } from "./late-markdown.js";
import { later } from "./later.js";
import { PairedLine } from "./paired-line.js";
import { PagePart } from "./part.js";
import type { AllWords, PageParts } from "./parts.js";
import { TitleBar } from "./title-bar.js";
import { VisitLine } from "./visit-line.js";
import { whenIdle } from "./when-idle.js";

// The first question waits for none of these.
const Buttons = later(() => import("./bar-buttons.js"));
const Sessions = later(() => import("./sessions.js"));
const Talk = later(
  () => import("./talk.js"),
  () => <div className="talk" />,
);
const Prompt = later(() => import("./prompt.js"));
const BehindDock = later(() => import("./behind-dock.js"));

/** A session: its connection, the conversation, the requests that wait for the person, and a place to write. */
export function SessionPage({
  visit,
  words,
  meant,
  ...parts
}: PageParts & {
  readonly visit: Visit;
  readonly words: AllWords;
  /** The request that the person came for. */
  readonly meant: string | undefined;
}): ReactNode {
  const { connection, requests, server } = visit;
  const { places, highlight } = parts;
  const list = useStore(requests);
  const { page } = words;
  useMeant(meant, list);
  useEffect(() => {
    const keepBusy = whenIdle(markdownAhead);
    return () => keepBusy();
  }, []);
  return (
    <div className="session">
      <header>
        <PagePart name="title" words={words}>
          <TitleBar visit={visit} places={places} words={page} />
        </PagePart>
        <PagePart name="sessions" words={words}>
          <Sessions visit={visit} places={places} words={words} />
        </PagePart>
        <PagePart name="settings" words={words}>
          <Buttons {...parts} visit={visit} words={page} language={words.language} />
        </PagePart>
        {!server.isHome && <p className="quiet subject">{new URL(server.origin).host}</p>}
        {visit.isPaired && (
          <PagePart name="paired" words={words}>
            <PairedLine credentials={server.credentials} words={page} />
          </PagePart>
        )}
        <PagePart name="connection" words={words}>
          <VisitLine {...{ visit, places, words }} />
        </PagePart>
      </header>
      <main>
        <PagePart name="conversation" words={words}>
          <Talk {...{ visit, words, highlight }} />
        </PagePart>
        <PagePart name="requests" words={words}>
          <PageDock
            {...{ list, words, highlight, drafts: server.drafts, outbox: connection.outbox }}
            shows={takenBy(connection)}
          />
        </PagePart>
        <PagePart name="requests" words={words}>
          <BehindDock {...{ visit, places, list }} language={words.language} />
        </PagePart>
        <PagePart name="prompt" words={words}>
          <Prompt visit={visit} words={words} tab={server.tab} />
        </PagePart>
      </main>
    </div>
  );
}

/** Leads to the card of the request that the person came for, once, as soon as it is there. */
function useMeant(meant: string | undefined, list: readonly OpenRequest[]): void {
  const left = useRef(meant);
  useEffect(() => {
    const { current } = left;
    const there = list.find(({ id, request }) => current === id || current === request.id);
    const card = there && document.querySelector(`[data-askwire-request="${CSS.escape(there.id)}"]`);
    // A card comes after its request, where its file is on its way.
    if (current === undefined || there === undefined || !card) return;
    left.current = undefined;
    leadTo(there.id);
  });
}

/** Features that the server takes in addition to a choice; none in the base profile. */
function takenBy({ session }: LastingConnection) {
  const { notes, skip, attachments } = session()?.server?.capabilities?.askwire ?? {};
  return { notes: notes === true, skip: skip === true, attachments: attachments === true };
}
