import { providerKeys } from "./provider-keys.js";

/** The beginning of the names of our own settings. */
const OURS = "ASKWIRE_";
/** Our token, with which an agent could answer in the person's place. */
const TOKEN = "ASKWIRE_TOKEN";

/**
 * The environment for an agent that somebody else wrote: that of this process without the settings of Askwire, without
 * the keys of model providers, and without `DEBUG`, which has some agents write to their standard output (P-CLI-10).
 *
 * @param ours the environment of this process.
 * @param inherited names of variables, in any case, that the agent gets all the same, such as the key of its provider.
 * `ASKWIRE_TOKEN` is never among them. Default: none.
 */
export function agentEnvironment(
  ours: NodeJS.ProcessEnv,
  inherited: readonly string[] = [],
): NodeJS.ProcessEnv {
  const named = new Set(inherited.map((name) => name.toUpperCase()));
  const withheld = new Set([...providerKeys, "DEBUG"]);
  return Object.fromEntries(
    Object.entries(ours).filter(([name]) => {
      const upper = name.toUpperCase();
      const isWithheld = withheld.has(upper) || upper.startsWith(OURS);
      return upper !== TOKEN && (!isWithheld || named.has(upper));
    }),
  );
}
