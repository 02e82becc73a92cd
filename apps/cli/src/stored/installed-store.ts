import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { MovingStore, postgresStore } from "@askwire/postgres";
import { LocalError } from "@askwire/protocol";
import type { Log } from "@askwire/server";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { told, withOwnErrors } from "./own-errors.js";
import type { StorePlace } from "./store-place.js";

const PACKAGE = "@askwire/postgres";

/**
 * Opens a database, by the package that the person has installed next to the command.
 *
 * @throws Failure in one line, with the next step: without the package, and where the store cannot begin.
 */
export async function openStore(place: StorePlace, log: Log): Promise<MovingStore> {
  const { address: connectionString, password, schema, allowAsyncStandby } = place;
  const begin = await installed();
  try {
    const store = await told(() =>
      begin({
        ...{ connectionString, allowAsyncStandby, log },
        ...(password !== undefined && { password }),
        ...(schema !== undefined && { schema }),
      }),
    );
    return withOwnErrors(store);
  } catch (error) {
    throw startFailure(error);
  }
}

async function installed(): Promise<typeof postgresStore> {
  const own = createRequire(__filename);
  let file: string;
  try {
    file = own.resolve(PACKAGE);
  } catch {
    throw new CommandFailure(
      `--store: ${PACKAGE} is not installed: install it next to this command, with "npm install ${PACKAGE}", and with -g where the command is global`,
    );
  }
  // A file of the command's own folder, whose import() is Node's.
  const { postgresStore: found } = await own("../bin/import-package.js")(pathToFileURL(file).href);
  return found;
}

/** The words of the store for its options, as those of the command line. */
function startFailure(error: unknown): unknown {
  if (!(error instanceof LocalError || error instanceof TypeError)) return error;
  const message = error.message
    .replace(/^postgresStore: (?:connectionString: )?/, "--store: ")
    .replace("allowAsyncStandby", "--allow-async-standby");
  return error instanceof TypeError ? usageFailure(message) : new CommandFailure(message);
}
