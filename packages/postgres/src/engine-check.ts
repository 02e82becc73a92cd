import { LocalError } from "@askwire/protocol";
import type { Log } from "@askwire/server";
import type pg from "pg";

/** The first version of the engine that is supported, as `server_version_num` says it. */
const FIRST_VERSION = 150_000;

interface EngineFacts {
  readonly version: number;
  readonly words: string;
  readonly is_standby: boolean;
  readonly only_reads: boolean;
  readonly fsync: string;
  readonly sync_names: string;
  readonly has_standby: boolean;
}

// Logical receivers and running backups are no standbys. Their kind is hidden from users without pg_monitor.
const facts = `
select current_setting('server_version_num')::integer as version, current_setting('server_version') as words,
  pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as only_reads,
  current_setting('fsync') as fsync, current_setting('synchronous_standby_names') as sync_names,
  exists (select from pg_replication_slots where slot_type = 'physical' and not temporary)
    or exists (
      select from pg_stat_replication r where r.state is distinct from 'backup'
        and not exists (select from pg_replication_slots s where s.slot_type = 'logical' and s.active_pid = r.pid)
    ) as has_standby`;

/**
 * Looks if the engine keeps what it acknowledges, and can be written.
 *
 * @throws LocalError INVALID_STATE for a version before 15, an engine that only reads, and an asynchronous standby that
 * is not allowed.
 * @throws the error of an engine that cannot be asked.
 */
export async function checkEngine(
  client: pg.ClientBase,
  { place, allowAsyncStandby, log }: { place: string; allowAsyncStandby: boolean; log: Log },
): Promise<void> {
  const refuse = (why: string) => new LocalError("INVALID_STATE", `postgresStore: ${place}: ${why}`);
  const { rows } = await client.query<EngineFacts>(facts);
  const engine = rows[0] as EngineFacts;
  if (engine.version < FIRST_VERSION)
    throw refuse(`it is PostgreSQL ${engine.words}: version 15 or later is needed`);
  if (engine.is_standby) throw refuse("it is a standby, which only reads: give the address of the primary");
  if (engine.only_reads)
    throw refuse("it only reads: check default_transaction_read_only, and that it is the primary");
  if (engine.sync_names.trim() === "" && engine.has_standby && !allowAsyncStandby)
    throw refuse(
      "its standbys are asynchronous, so that a failover may lose answers that were acknowledged: set synchronous_standby_names, or allowAsyncStandby if you accept that",
    );
  if (engine.fsync !== "on") log.warn({ place }, "the engine has fsync off: a power cut may lose all of it");
}
