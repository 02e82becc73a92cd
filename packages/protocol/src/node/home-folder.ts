import { homedir } from "node:os";
import { join, resolve } from "node:path";

/**
 * The folder of a person's sessions and gateway (P-JRN-1): `ASKWIRE_HOME`, else `.askwire` in the home directory. An
 * empty variable counts as not set.
 */
export const homeFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  env.ASKWIRE_HOME ? resolve(env.ASKWIRE_HOME) : join(homedir(), ".askwire");
