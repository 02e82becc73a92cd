// The tables of words that a page has in each language from the start, apart from the files of all words.
import * as en from "./apart-en.js";
import * as zh from "./apart-zh.js";
import type { Language } from "./language.js";

/** The words for what fails, by language. */
export const failureWords: Readonly<Record<Language, en.FailureWords>> = { en: en.failure, zh: zh.failure };
/** The word behind the label of an option that the agent recommends, by language. */
export const recommendedWords: Readonly<Record<Language, string>> = {
  en: en.recommended,
  zh: zh.recommended,
};
