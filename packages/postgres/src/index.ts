// The public surface of @askwire/postgres: named exports only.

export type { BroughtSession, MovingStore, NodeStore, StoredMove } from "./moving-store.js";
export type { PostgresStoreOptions } from "./options.js";
export { type PostgresAuditOptions, postgresAudit } from "./postgres-audit.js";
export { postgresStore } from "./postgres-store.js";
export type { StoredAudit, StoredDecision, StoredDecisionQuery } from "./stored-audit.js";
