import { defaultLanguage, type Language } from "@askwire/client/words";
import { firstWords, type PageTexts, wordsOfPage } from "@askwire/client/words/page";
import { type Store, store } from "@askwire/react/cards";
import { type KeptSettings, spokenIn } from "../kept/settings.js";
import type { AllWords } from "./parts.js";

/**
 * The words in the language of the settings, or of the browser. Those of another language than the default come in a
 * file, and the last ones stay until then.
 *
 * @returns `first` settles once the page can begin, and rejects where it begins in the default language.
 */
export function spokenTexts(
  settings: KeptSettings,
  browser: readonly string[],
): Store<AllWords> & { readonly first: Promise<void> } {
  const { current, subscribe, set } = store(inLanguage(defaultLanguage, firstWords));
  const wanted = () => settings.current().language ?? spokenIn(browser);
  const follow = async (): Promise<void> => {
    const language = wanted();
    if (language === current().language) return;
    const words = await wordsOfPage[language]();
    if (language === wanted()) set(inLanguage(language, words));
  };
  settings.subscribe(() => void follow());
  return { current, subscribe, first: follow() };
}

const inLanguage = (language: Language, { card, ...words }: PageTexts): AllWords => ({
  ...words,
  cards: card,
  language,
});
