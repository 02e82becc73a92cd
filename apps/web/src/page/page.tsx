import { type CardWords, cardWords, type TalkWords, talkWords, useStore } from "@askwire/react";
import { type ReactNode, useEffect } from "react";
import type { Signals } from "../attention/use-attention.js";
import type { Box } from "../kept/box.js";
import type { Credentials } from "../kept/credentials.js";
import type { Drafts } from "../kept/drafts.js";
import { type KeptSettings, type Language, spokenIn } from "../kept/settings.js";
import { type PageWords, pageWords } from "../words/page-words.js";
import { Entrance } from "./entrance.js";
import { SessionPage } from "./session-page.js";
import type { Visits } from "./visits.js";

/** The parts that the page is made of. */
export interface PageParts {
  readonly places: Visits;
  readonly credentials: Credentials;
  readonly drafts: Drafts;
  readonly tab: Box;
  readonly settings: KeptSettings;
  readonly signals: Signals;
}

/** The words of the page and of its parts, in one language. */
export interface AllWords {
  readonly page: PageWords;
  readonly cards: CardWords;
  readonly talk: TalkWords;
  readonly language: Language;
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
    const all = { page: words, cards: cardWords[language], talk: talkWords[language], language };
    return <SessionPage key={place.key} {...parts} visit={place.visit} words={all} />;
  }
  return <Entrance {...{ places: parts.places, place, words }} />;
}
