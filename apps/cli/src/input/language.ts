import { defaultLanguage, type Language, languages } from "@askwire/client/words";

/**
 * The language that the options ask for, else the locale's (`LC_ALL`, `LC_MESSAGES`, `LANG`, the first that is set),
 * else the default.
 */
export function languageOf(asked: Language | undefined, env: NodeJS.ProcessEnv): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  return (
    asked ??
    languages.find((language) => new RegExp(`^${language}(?![a-z])`, "i").test(locale)) ??
    defaultLanguage
  );
}
