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
  // A view reads its tables as the owner of the view.
  const text = `select rolname as name, rolname = current_user as is_own from pg_roles
    where (rolsuper or rolbypassrls)
      and (rolname = current_user or oid = (select relowner from pg_class where oid = $1::regclass))
    order by is_own desc limit 1`;
  const [found] = (await client.query(text, [`${quoted(schema)}.decision`])).rows;
  if (found !== undefined)
    log.warn(
      { place, user: found.name },
      `row-level security does not hold ${found.is_own ? "this user" : "the owner of the tables"}, so one wall alone stands between tenants: use a role without SUPERUSER and BYPASSRLS`,
    );
}
