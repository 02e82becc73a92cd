import { pageWords } from "@askwire/client/words";
import {
  cardWords,
  Failures,
  leadTo,
  type OpenRequest,
  requestText,
  talkWords,
  useStore,
} from "@askwire/react";
import { type ReactNode, useEffect } from "react";
import { useAttention } from "../attention/use-attention.js";
import { type KeptSettings, spokenIn } from "../kept/settings.js";
import type { WaitingRequest } from "../visits/waiting.js";
import { EntrancePage } from "./entrance.js";
import { PagePart } from "./part.js";
import type { AllWords, PageParts } from "./parts.js";
import { SessionPage } from "./session-page.js";

/** The page at each place, in the language and the look of the settings. */
export function Page(parts: PageParts): ReactNode {
  const place = useStore(parts.places);
  const words = useWords(parts.settings);
  return (
    <>
      <PagePart name="signals" words={words}>
        <Attention {...parts} words={words} />
      </PagePart>
      <Failures words={words.talk.failure} />
      {place.is === "session" ? (
        <PagePart key={place.key} name="place" words={words}>
          <SessionPage {...parts} visit={place.visit} words={words} />
        </PagePart>
      ) : (
        <PagePart key={place.is} name="place" words={words}>
          <EntrancePage {...parts} {...{ place, words }} />
        </PagePart>
      )}
    </>
  );
}

/** The words in the language of the settings, or of the browser. */
export function useWords(settings: KeptSettings): AllWords {
  const chosen = useStore(settings).language;
  const language = chosen ?? spokenIn(navigator.languages);
  return { page: pageWords[language], cards: cardWords[language], talk: talkWords[language], language };
}

/** The tab's title, icon, language and look, and the signals of new requests. */
function Attention({
  places,
  settings,
  signals,
  words: { page, cards, language },
}: PageParts & { readonly words: AllWords }): null {
  const { asked, elsewhere } = useStore(places.waiting);
  const chosen = useStore(settings);
  const { theme } = chosen;
  const count = asked.length + elsewhere;
  const title = count === 0 ? page.title : page.waiting(count, page.title);
  const textOf = (request: OpenRequest) => requestText(request, cards);
  const lead = ({ visit, request }: WaitingRequest) => {
    const place = places.current();
    if (place.is !== "session" || place.visit !== visit) places.show(visit);
    // The card is there with the next redraw.
    requestAnimationFrame(() => leadTo(request.id));
  };
  useAttention({ asked, count, title, textOf, lead }, chosen, signals);

  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dataset.theme = theme;
  }, [language, theme]);
  return null;
}
