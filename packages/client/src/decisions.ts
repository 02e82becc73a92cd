// The decisions of a server's sessions, for lists and for files. `@askwire/client/decisions`.
export { type AuditMembers, auditMembers, csvHead, csvLine } from "./decisions/export-rows.js";
export type { HeardDecider, HeardDecision } from "./decisions/heard-decision.js";
export {
  decisionPages,
  listDecisions,
  type PageOfDecisions,
  tellsDecisions,
  type WantedDecisions,
} from "./decisions/list-decisions.js";
