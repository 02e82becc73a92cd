import { cardWords } from "@askwire/react";
import { type ReactNode, useEffect } from "react";
import type { Signals } from "../attention/use-attention.js";
import type { Credentials } from "../kept/credentials.js";
import type { Drafts } from "../kept/drafts.js";
import { type Settings, spokenIn } from "../kept/settings.js";
import { type Store, useStore } from "../store.js";
import { pageWords } from "../words/page-words.js";
import { Entrance } from "./entrance.js";
import { SessionPage } from "./session-page.js";
import type { Visits } from "./visits.js";

/** What the page is made of. */
export interface PageParts {
  readonly places: Visits;
  readonly credentials: Credentials;
  readonly drafts: Drafts;
  readonly settings: Store<Settings> & { change(change: Partial<Settings>): void };
  readonly signals: Signals;
}

/** The page at each place, in the language and the look of the settings. */
export function Page(parts: PageParts): ReactNode {
  const place = useStore(parts.places);
  const { language: chosen, theme } = useStore(parts.settings);
  const language = chosen ?? spokenIn(navigator.languages);
  const words = pageWords[language];

  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dataset.theme = theme;
  }, [language, theme]);

  if (place.is === "session") {
    return (
      <SessionPage key={place.key} {...parts} visit={place.visit} words={words} cards={cardWords[language]} />
    );
  }
  return <Entrance {...{ places: parts.places, place, words }} />;
}
