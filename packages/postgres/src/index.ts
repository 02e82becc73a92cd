// The public surface of @askwire/postgres: named exports only.

export type { PostgresStoreOptions } from "./options.js";
export { postgresStore } from "./postgres-store.js";
