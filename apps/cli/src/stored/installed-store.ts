import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { NodeStore, PostgresStoreOptions, StoredAudit } from "@askwire/postgres";
import { LocalError } from "@askwire/protocol";
import type { Log } from "@askwire/server";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { ownExecutable } from "../installed/own-executable.js";
import { told, withOwnErrors } from "./own-errors.js";
import type { StorePlace } from "./store-place.js";

export { told } from "./own-errors.js";

const PACKAGE = "@askwire/postgres";

/**
 * Opens a database, by the package that the person has installed next to the command.
 *
 * @param more `nodeAddress` is the address at which other nodes reach this process, and `tenants` is true where tenants use
 *   it. Default: none.
 * @throws Failure in one line, with the next step: without the package, and where the store cannot begin.
 */
export async function openStore(
  place: StorePlace,
  log: Log,
  more: Pick<PostgresStoreOptions, "nodeAddress" | "tenants"> = {},
): Promise<NodeStore> {
  const { postgresStore } = await installed();
  const { allowAsyncStandby } = place;
  const options = { ...optionsOf(place), allowAsyncStandby, log, ...more };
  return withOwnErrors(await begun(() => postgresStore(options)));
}

/**
 * Opens the decisions of a database, by the same package. Its errors are those of the command once `told` has them.
 *
 * @throws Failure as {@link openStore}.
 */
export async function openAudit(place: StorePlace): Promise<StoredAudit> {
  const { postgresAudit } = await installed();
  const { tenant } = place;
  return begun(() => postgresAudit({ ...optionsOf(place), ...(tenant !== undefined && { tenant }) }));
}

const optionsOf = ({ address: connectionString, password, schema }: StorePlace): PostgresStoreOptions => ({
  connectionString,
  ...(password !== undefined && { password }),
  ...(schema !== undefined && { schema }),
});

async function begun<T>(begin: () => Promise<T>): Promise<T> {
  try {
    return await told(begin);
  } catch (error) {
    throw startFailure(error);
  }
}

async function installed(): Promise<typeof import("@askwire/postgres")> {
  const own = createRequire(__filename);
  let file: string;
  try {
    file = own.resolve(PACKAGE);
  } catch {
    throw new CommandFailure(
      `--store: ${PACKAGE} is not installed: install it next to this command, with "npm install ${PACKAGE}", and with -g where the command is global`,
    );
  }
  // In a single executable require() loads modules, and no file beside it has an import().
  if (ownExecutable() !== undefined) return own(file);
  // A file of the command's own folder, whose import() is Node's.
  return own("../bin/import-package.js")(pathToFileURL(file).href);
}

/** The words of the store for its options, as those of the command line. */
function startFailure(error: unknown): unknown {
  if (!(error instanceof LocalError || error instanceof TypeError)) return error;
  const message = error.message
    .replace(/^postgres(?:Store|Audit): (?:connectionString: )?/, "--store: ")
    .replace("allowAsyncStandby", "--allow-async-standby");
  return error instanceof TypeError ? usageFailure(message) : new CommandFailure(message);
}
