/**
 * The languages of all interfaces, each by its own name. Another is a line here and a file beside this one; the compiler
 * then names what misses.
 */
export const languageNames = { en: "English", zh: "中文" };
/** The tag of a language that the interfaces speak. */
export type Language = keyof typeof languageNames;
export const languages = /* @__PURE__ */ Object.keys(languageNames) as Language[];
/** The language where nobody asks for one that is spoken. */
export const defaultLanguage: Language = "en";
