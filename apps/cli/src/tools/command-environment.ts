import { providerKeys } from "../input/provider-keys.js";

/** Names of variables that commands inherit although they carry the key of a provider, separated by commas. */
const SETTING = "ASKWIRE_INHERIT";

/**
 * The environment of a command: ours without the keys of model providers, unless `ASKWIRE_INHERIT` names them, and in no
 * case with our token, by which a command could answer in the person's place.
 */
export function commandEnvironment(ours: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const named = (ours[SETTING] ?? "").split(",").map((name) => name.trim().toUpperCase());
  const withheld = new Set(providerKeys.filter((name) => !named.includes(name)));
  withheld.add("ASKWIRE_TOKEN");
  return Object.fromEntries(Object.entries(ours).filter(([name]) => !withheld.has(name.toUpperCase())));
}
