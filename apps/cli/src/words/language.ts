/** The languages that the terminal speaks. */
export const languages = ["en", "zh"] as const;
export type Language = (typeof languages)[number];

/**
 * The language that the options ask for, else the locale's (`LC_ALL`, `LC_MESSAGES`, `LANG`, the first that is set),
 * else English.
 */
export function languageOf(asked: Language | undefined, env: NodeJS.ProcessEnv): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  return asked ?? languages.find((language) => new RegExp(`^${language}(?![a-z])`, "i").test(locale)) ?? "en";
}
