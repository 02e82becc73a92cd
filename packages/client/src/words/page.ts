// The face @askwire/client/words/page: the words of a page, of which it has one language, and loads others when they are
// asked for.
import type { Language } from "./language.js";
import * as en from "./page-en.js";

/** The words of a page in one language. */
export type PageTexts = typeof en;
/** The words of a page in the language of `defaultLanguage`. */
export const firstWords: PageTexts = en;
/** Gives the words of a page in a language. Rejects where their file cannot be loaded. */
export const wordsOfPage: Readonly<Record<Language, () => Promise<PageTexts>>> = {
  en: async () => en,
  zh: () => import("./page-zh.js"),
};
