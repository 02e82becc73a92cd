import { type ReactNode, useEffect, useState } from "react";
import { readEntry } from "../entry/fragment.js";
import type { PageWords } from "../words/page-words.js";
import type { Place, Visits } from "./visits.js";

/** The page without a token: how to get one, and a field to enter it. */
export function Entrance({
  places,
  place,
  words,
}: {
  readonly places: Visits;
  readonly place: Exclude<Place, { is: "session" }>;
  readonly words: PageWords;
}): ReactNode {
  const [typed, setTyped] = useState("");
  useEffect(() => {
    document.title = words.title;
  }, [words]);

  if (place.is === "pairing") {
    return (
      <main className="entrance">
        <h1>{words.title}</h1>
        <p role="status">{words.pairing}</p>
      </main>
    );
  }

  function enter(): void {
    const entered = readEntry(typed, location.host);
    if (typeof entered === "string") places.refuse(entered);
    else places.enter(entered);
  }

  const { problem } = place;
  return (
    <main className="entrance">
      <h1>{words.entrance}</h1>
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
      <form
        onSubmit={(event) => {
          event.preventDefault();
          enter();
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
    </main>
  );
}
