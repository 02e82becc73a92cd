// The public surface of @askwire/postgres: named exports only.

export type { BroughtSession, MovingStore, NodeStore, StoredMove } from "./moving-store.js";
export type { PostgresStoreOptions } from "./options.js";
export { postgresStore } from "./postgres-store.js";
