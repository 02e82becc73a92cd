import { LocalError } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import type { Log } from "@askwire/server";
import type pg from "pg";
import { codeOf } from "./engine-errors.js";
import { quoted } from "./migrate.js";

/** The place of the tables, for errors and the log. */
interface WalledPlace {
  readonly place: string;
  readonly schema: string;
  readonly log: Log;
}

/**
 * Raises row-level security between tenants where it does not stand yet, and says so where this user passes it by.
 *
 * @throws LocalError REFUSED where it does not stand, and this user is not the owner of the tables.
 * @throws the error of the engine.
 */
export async function raiseWall(client: pg.ClientBase, { place, schema, log }: WalledPlace): Promise<void> {
  const { rows } = await client.query(`select ${quoted(schema)}.is_walled() as is_there`);
  if (rows[0].is_there !== true)
    try {
      await client.query(`select ${quoted(schema)}.wall_tenants()`);
    } catch (error) {
      if (codeOf(error) !== "42501") throw error;
      throw new LocalError(
        "REFUSED",
        `postgresStore: ${place}: row-level security between tenants is not on: let the owner of the schema ${schema} run "select ${schema}.wall_tenants()" (${errorText(error)})`,
        { cause: error },
      );
    }
  const role =
    "select rolsuper or rolbypassrls as passes, current_user as name from pg_roles where rolname = current_user";
  const [found] = (await client.query(role)).rows;
  if (found?.passes === true)
    log.warn(
      { place, user: found.name },
      "row-level security does not hold this user, so one wall alone stands between tenants: use a role without SUPERUSER and BYPASSRLS",
    );
}
