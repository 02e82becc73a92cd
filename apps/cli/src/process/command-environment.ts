import { providerKeys } from "../input/provider-keys.js";

/** The variable that names the variables with a provider's key that commands inherit, separated by commas. */
const SETTING = "ASKWIRE_INHERIT";

/**
 * The environment of a command: ours without the keys of model providers, unless `ASKWIRE_INHERIT` names them.
 * Our token is never inherited, since a command could answer in the person's place with it.
 */
export function commandEnvironment(ours: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return without(ours, (name) => name === "ASKWIRE_TOKEN");
}

/**
 * The environment of another agent: as a command's, without any setting of ours that `ASKWIRE_INHERIT` does not name,
 * and without `DEBUG`, which has some agents write to their standard output (P-CLI-10).
 */
export function agentEnvironment(ours: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const named = namedIn(ours);
  return without(
    ours,
    (name) =>
      name === "ASKWIRE_TOKEN" || name === "DEBUG" || (name.startsWith("ASKWIRE_") && !named.includes(name)),
  );
}

const namedIn = (ours: NodeJS.ProcessEnv): readonly string[] =>
  (ours[SETTING] ?? "").split(",").map((name) => name.trim().toUpperCase());

function without(ours: NodeJS.ProcessEnv, withheld: (name: string) => boolean): NodeJS.ProcessEnv {
  const named = namedIn(ours);
  const keys = new Set(providerKeys.filter((name) => !named.includes(name)));
  return Object.fromEntries(
    Object.entries(ours).filter(([name]) => {
      const upper = name.toUpperCase();
      return !keys.has(upper) && !withheld(upper);
    }),
  );
}
