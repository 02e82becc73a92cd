import { useStore } from "@askwire/react/cards";
import type { Highlight } from "@askwire/react/code";
import type { ReactNode } from "react";
import type { Visit } from "../visits/visit.js";
import type { Visits } from "../visits/visits.js";
import { PageDock } from "./dock.js";
import { PagePart } from "./part.js";
import type { AllWords } from "./parts.js";

/** The page of a device that was revoked, with all that the person had not sent, to copy. */
export default function RevokedPage({
  visit,
  places,
  words,
  highlight,
}: {
  readonly visit: Visit;
  readonly places: Visits;
  readonly words: AllWords;
  readonly highlight: Highlight;
}): ReactNode {
  const { connection, requests, server } = visit;
  const list = useStore(requests);
  const said = useUnsentWords(visit);
  const own = words.page.revoked;
  const hasWork = said !== "" || list.length > 0;
  return (
    <main className="revoked">
      <h1>{own.title}</h1>
      <p role="status">{own.next}</p>
      {hasWork && <p>{own.unsent}</p>}
      <PagePart name="requests" words={words}>
        <PageDock
          {...{ list, words, highlight, drafts: server.drafts, shows: {}, outbox: connection.outbox }}
        />
      </PagePart>
      {said !== "" && (
        <label>
          {own.words}
          <textarea readOnly dir="auto" rows={Math.min(12, said.split("\n").length + 1)} value={said} />
        </label>
      )}
      <button type="button" className="main" onClick={() => places.enterAnew(server.origin)}>
        {own.enter}
      </button>
    </main>
  );
}

/** The words for the agent that the server has not taken: those on their way, then those in the prompt. */
function useUnsentWords({ connection, unsent, server, session }: Visit): string {
  const outbox = useStore(connection.outbox);
  const typed = useStore(unsent);
  const id = connection.session()?.id ?? session;
  const sent = outbox.flatMap((one) =>
    one.kind === "words" && typeof one.input === "string" ? [one.input] : [],
  );
  const inPrompt = typed ?? (id === undefined ? undefined : server.tab.get(`prompt.${id}`)) ?? "";
  return [...new Set([...sent, ...inPrompt.split("\n")])].filter((line) => line !== "").join("\n");
}
