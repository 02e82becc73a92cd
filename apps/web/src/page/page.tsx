import {
  type CardWords,
  cardWords,
  type OpenRequest,
  requestText,
  type TalkWords,
  talkWords,
  useStore,
} from "@askwire/react";
import { type ReactNode, useEffect } from "react";
import { type Signals, useAttention } from "../attention/use-attention.js";
import { type KeptSettings, type Language, spokenIn } from "../kept/settings.js";
import { type PageWords, pageWords } from "../words/page-words.js";
import { Entrance } from "./entrance.js";
import { SessionPage } from "./session-page.js";
import type { Visits } from "./visits.js";

/** The parts that the page is made of. */
export interface PageParts {
  readonly places: Visits;
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
  const { asked, elsewhere } = useStore(parts.places.waiting);
  const settings = useStore(parts.settings);
  const { theme } = settings;
  const language = settings.language ?? spokenIn(navigator.languages);
  const words = pageWords[language];
  const count = asked.length + elsewhere;
  const title = count === 0 ? words.title : words.waiting(count, words.title);
  const textOf = (request: OpenRequest) => requestText(request, cardWords[language]);
  useAttention({ asked, count, title, textOf }, settings, parts.signals);

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
