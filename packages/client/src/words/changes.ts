// The face @askwire/client/words/changes, apart from the other words, so that a page loads them with its first difference.
import { type ChangeWords, changeEnglish as en } from "./change-en.js";
import { changeChinese as zh } from "./change-zh.js";
import { defaultLanguage, type Language, languages } from "./language.js";

export { lineEndNames } from "./any-language.js";
export type { ChangeWords } from "./change-en.js";

/** The words of differences, by language. */
export const changeWords: Readonly<Record<Language, ChangeWords>> = { en, zh };

/** The words of a component that shows differences: its own ones, or a word by which their language is known. */
interface WordsAround {
  readonly added: string;
  readonly changes?: ChangeWords;
}

const added: Readonly<Record<Language, string>> = { en: "added", zh: "新增" };

/** The words of differences that go with other words: those among them, else those of their language, else English. */
export function changesIn(words: WordsAround): ChangeWords {
  const language = languages.find((one) => added[one] === words.added);
  return words.changes ?? changeWords[language ?? defaultLanguage];
}
