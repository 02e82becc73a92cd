import { providerKeys } from "@askwire/relays";

/** The variable that names the variables with a provider's key that commands inherit, separated by commas. */
const SETTING = "ASKWIRE_INHERIT";

/**
 * The environment of a command: ours without the keys of model providers, unless `ASKWIRE_INHERIT` names them.
 * Our token is never inherited, since a command could answer in the person's place with it.
 */
export function commandEnvironment(ours: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const named = inheritedNames(ours);
  const withheld = new Set(providerKeys.filter((name) => !named.includes(name)));
  withheld.add("ASKWIRE_TOKEN");
  return Object.fromEntries(Object.entries(ours).filter(([name]) => !withheld.has(name.toUpperCase())));
}

/** The names in `ASKWIRE_INHERIT`, in capitals. */
export const inheritedNames = (ours: NodeJS.ProcessEnv): readonly string[] =>
  (ours[SETTING] ?? "").split(",").map((name) => name.trim().toUpperCase());
