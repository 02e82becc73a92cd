const inWords = (known: ReadonlyMap<string, string>, other: (rule: string) => string) => (rule: string) =>
  known.get(rule) ?? other(rule);

/** Says by which rule an approval was answered without asking (P-XAO-11). A rule of a newer server is named as it came. */
export const ruleWords: Readonly<Record<"en" | "zh", (rule: string) => string>> = {
  en: inWords(
    new Map([
      ["approve_all", "since everything is approved here"],
      ["decided_before", "as decided before"],
    ]),
    (rule) => `by the rule ${rule}`,
  ),
  zh: inWords(
    new Map([
      ["approve_all", "此处全部批准"],
      ["decided_before", "沿用先前的决定"],
    ]),
    (rule) => `规则 ${rule}`,
  ),
};
