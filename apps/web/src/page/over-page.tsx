import type { ConnectionLine } from "@askwire/react/cards";
import { useStore } from "@askwire/react/cards";
import type { Highlight } from "@askwire/react/code";
import { inboxWords } from "@askwire/react/inbox";
import type { ComponentProps, ReactNode } from "react";
import type { Visit } from "../visits/visit.js";
import type { Visits } from "../visits/visits.js";
import { PageDock } from "./dock.js";
import { PagePart } from "./part.js";
import type { AllWords } from "./parts.js";

type Closed = Extract<ComponentProps<typeof ConnectionLine>["link"], { is: "closed" }>;

/** The whole page of a connection that is over: why, the next step, and all that the person had not sent, to copy. */
export default function OverPage({
  visit,
  line,
  places,
  words,
  highlight,
}: {
  readonly visit: Visit;
  readonly line: Closed;
  readonly places: Visits;
  readonly words: AllWords;
  readonly highlight: Highlight;
}): ReactNode {
  const { connection, requests, server } = visit;
  const list = useStore(requests);
  const said = useUnsentWords(visit);
  const own = inboxWords[words.language].over;
  const isRevoked = line.ending === "token" && server.credentials.isPaired();
  const { title, next } = isRevoked ? own.revoked : own[line.ending];
  return (
    <main className="over">
      <h1>{title}</h1>
      <p role="status">{next}</p>
      {line.ending === "failed" && <p dir="auto">{line.why}</p>}
      {(said !== "" || list.length > 0) && <p>{own.unsent}</p>}
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
      <PagePart name="connection" words={words}>
        <WaysOn {...{ visit, places, words, isRevoked }} ending={line.ending} />
      </PagePart>
    </main>
  );
}

/** The ways on from an end, the likeliest first. */
function WaysOn({
  visit: { connection, server, session },
  ending,
  isRevoked,
  places,
  words: { page, connection: own },
}: {
  readonly visit: Visit;
  readonly ending: Closed["ending"];
  readonly isRevoked: boolean;
  readonly places: Visits;
  readonly words: AllWords;
}): ReactNode {
  const id = connection.session()?.id ?? session;
  const ways: [name: string, go: () => void][] = [];
  if (ending === "token")
    ways.push([isRevoked ? page.revoked.enter : page.enterAnew, () => places.enterAnew(server.origin)]);
  if (ending === "kept" && id !== undefined) ways.push([own.openKept, () => places.open(id, server.origin)]);
  if (ending === "replaced" || ending === "failed") ways.push([own.reload, () => location.reload()]);
  if (ending === "session" || ending === "kept" || ending === "ended")
    ways.push([page.newSession, () => places.go(undefined, server.origin)]);
  return ways.map(([name, go], at) => (
    <button key={name} type="button" {...(at === 0 && { className: "main" })} onClick={go}>
      {name}
    </button>
  ));
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
