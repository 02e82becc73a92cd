/** The languages that the terminal speaks. */
export const terminalLanguages = ["en", "zh"] as const;
export type TerminalLanguage = (typeof terminalLanguages)[number];

/**
 * The language that the options ask for, else the locale's (`LC_ALL`, `LC_MESSAGES`, `LANG`, the first that is set),
 * else English.
 */
export function languageOf(asked: TerminalLanguage | undefined, env: NodeJS.ProcessEnv): TerminalLanguage {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  return (
    asked ??
    terminalLanguages.find((language) => new RegExp(`^${language}(?![a-z])`, "i").test(locale)) ??
    "en"
  );
}
