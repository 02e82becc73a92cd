import { type EntryWords, entryWords } from "@askwire/client/push-words";
import { useStore } from "@askwire/react/cards";
import { type ReactNode, useEffect } from "react";
import { readEntry } from "../entry/fragment.js";
import { isKnown } from "../entry/known.js";
import type { EntranceProblem } from "../entry/pair.js";
import type { PagePlace } from "../visits/visits.js";
import { PagePart } from "./part.js";
import type { AllWords, PageParts } from "./parts.js";
import { useReachable } from "./use-reachable.js";

interface EntryProps extends Pick<PageParts, "places" | "typed"> {
  readonly place: Extract<PagePlace, { is: "entrance" }>;
  readonly words: AllWords;
}

/** The page without a token: how to get one, and a field to enter it. It adds another server likewise. */
export default function EntryPage({ places, typed, place, words: all }: EntryProps): ReactNode {
  const words = entryWords[all.language];
  const visits = useStore(places.all);
  const { adds = false, problem } = place;
  const isPlain = !adds && problem === undefined;
  useEffect(() => {
    const until = new AbortController();
    if (isPlain) void letInWithout(places, until.signal);
    return () => until.abort();
  }, [isPlain, places]);
  return (
    <main className="entrance">
      <h1>{adds ? all.page.addServer : words.entrance}</h1>
      <PagePart name="howTo" words={all}>
        {adds ? <HowToAdd {...{ places, words }} /> : <HowTo words={words} />}
      </PagePart>
      <PagePart name="entry" words={all}>
        <Entry {...{ places, typed, adds, problem, words }} />
      </PagePart>
      {visits.map((visit) => (
        <button key={visit.server.origin} type="button" onClick={() => places.show(visit)}>
          {words.backTo(new URL(visit.server.origin).host)}
        </button>
      ))}
    </main>
  );
}

/** Enters without a token where the server knows the person by another way, such as the login of a proxy (P-WHO-6). */
async function letInWithout(places: PageParts["places"], signal: AbortSignal): Promise<void> {
  if (!(await isKnown(places.home, fetch.bind(globalThis), signal))) return;
  if (!signal.aborted) places.enter({ token: "" });
}

function HowTo({ words }: { readonly words: EntryWords }): ReactNode {
  return (
    <>
      <p>{words.howTo}</p>
      <dl>
        <dt>
          <code>askwire serve --listen 127.0.0.1:0 --open</code>
        </dt>
        <dd>{words.howToOpen}</dd>
        <dt>
          <code>askwire serve --listen 0.0.0.0:8080 --allow-remote --qr</code>
        </dt>
        <dd>{words.howToScan}</dd>
      </dl>
    </>
  );
}

/** The servers that may be added, and what such a server has to allow. */
function HowToAdd({ places, words }: Pick<EntryProps, "places"> & { readonly words: EntryWords }): ReactNode {
  return (
    <>
      <p>{words.howToAdd}</p>
      <ul>
        {useReachable(places).map((origin) => (
          <li key={origin}>
            <code>{origin}</code>
          </li>
        ))}
      </ul>
      <dl>
        <dt>
          <code>askwire serve --listen … --allow-origin {places.home}</code>
        </dt>
        <dd>{words.howToLetIn}</dd>
      </dl>
    </>
  );
}

function Entry({
  places,
  typed: { set: setTyped, ...kept },
  adds,
  problem,
  words,
}: Pick<EntryProps, "places" | "typed"> & {
  readonly words: EntryWords;
  readonly adds: boolean;
  readonly problem: EntranceProblem | undefined;
}): ReactNode {
  const typed = useStore(kept);

  async function enter(): Promise<void> {
    const others = await places.reachable();
    const [only, another] = adds ? others : [places.home];
    const server = another === undefined ? only : undefined;
    const entered = readEntry(typed, [places.home, ...others], server);
    if (typeof entered === "string") places.refuse(entered);
    else {
      setTyped("");
      places.enter(entered);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void enter();
      }}
    >
      <label htmlFor="entry">{words.entry}</label>
      <input
        id="entry"
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        {...(problem !== undefined && { "aria-invalid": true, "aria-describedby": "problem" })}
      />
      <p id="problem" role="status">
        {problem !== undefined && words.problems[problem]}
      </p>
      <button type="submit" className="main">
        {words.connect}
      </button>
    </form>
  );
}
