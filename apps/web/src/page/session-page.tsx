import { type CardWords, useOpenRequests } from "@askwire/react";
import { type ReactNode, useRef } from "react";
import { requestText } from "../attention/request-text.js";
import { useAttention } from "../attention/use-attention.js";
import type { PageConnection } from "../connection/page-connection.js";
import { useStore } from "../store.js";
import type { PageWords } from "../words/page-words.js";
import { ConnectionLine } from "./connection-line.js";
import { Dock } from "./dock.js";
import type { PageParts } from "./page.js";
import { SettingsDialog } from "./settings-dialog.js";
import type { Visit } from "./visits.js";

/** A session: its connection, and the requests that wait for the person. */
export function SessionPage({
  visit,
  words,
  cards,
  ...parts
}: PageParts & {
  readonly visit: Visit;
  readonly words: PageWords;
  readonly cards: CardWords;
}): ReactNode {
  const { connection, requests } = visit;
  const list = useOpenRequests(requests);
  const waiting = list.filter(({ settled }) => settled === undefined);
  const chosen = useStore(parts.settings);
  const title = waiting.length === 0 ? words.title : words.waiting(waiting.length, words.title);
  useAttention(waiting, title, (one) => requestText(one, cards), chosen, parts.signals);
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <div className="session">
      <header>
        <h1>{words.title}</h1>
        <button type="button" onClick={() => dialog.current?.showModal()}>
          {words.settings}
        </button>
        <ConnectionLine connection={connection} places={parts.places} words={words} />
      </header>
      <main>
        <Dock {...{ list, words, cards, drafts: parts.drafts, shows: takenBy(connection) }} />
      </main>
      <SettingsDialog ref={dialog} {...parts} words={words} />
    </div>
  );
}

/** What the server takes beside a choice; nothing in the base profile. */
function takenBy({ session }: PageConnection) {
  const { notes, skip, attachments } = session()?.server?.capabilities?.askwire ?? {};
  return { notes: notes === true, skip: skip === true, attachments: attachments === true };
}
