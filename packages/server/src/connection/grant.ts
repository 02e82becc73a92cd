import {
  type AskwireCapabilities,
  type ClientRole,
  clientRoles,
  type ExternalTool,
  type Handlers,
  type InitializeParams,
  type Permission,
  permissions,
  type ServedAgentMethods,
} from "@askwire/protocol";
import type { AllowedFeatures } from "../requests/shows.js";
import { FOR_ANSWERING, notAllowed } from "../session/not-allowed.js";
import type { Brought } from "./initialize.js";

/** The permission that each method needs (P-XRL-2). An answer may need more of them, by its request. */
const needs: Readonly<Record<keyof ServedAgentMethods, Permission>> = {
  initialize: "see",
  replay: "see",
  received: "see",
  alive: "see",
  answer: "answer",
  touch: "answer",
  release: "answer",
  keep_draft: "answer",
  read_draft: "answer",
  prompt: "prompt",
  set_plan_mode: "prompt",
  set_do_not_ask: "prompt",
  create_session: "prompt",
  create_pairing_code: "prompt",
  await_pairing: "prompt",
  steer: "steer",
  cancel: "cancel",
  close_session: "close",
  list_sessions: "list",
  watch_sessions: "list",
  unwatch_sessions: "list",
  list_decisions: "history",
  list_requests: "list",
  watch_requests: "list",
  unwatch_requests: "list",
  claim: "answer",
  unclaim: "answer",
  ask: "ask",
};

/** The role of a connection, and its permissions (P-XRL-2). */
export interface Grant {
  /** Undefined for a connection that may do everything. */
  readonly role: ClientRole | undefined;
  readonly permissions: readonly Permission[];
  may(permission: Permission): boolean;
  /** Replaces the handlers of methods that are not allowed by a refusal. */
  allowed<H extends Partial<Handlers<ServedAgentMethods>>>(handlers: H): H;
  /** The features of the client that the connection may use (P-XRL-6). */
  shown(askwire: AskwireCapabilities): AllowedFeatures;
}

/** @param role the role of the connection. Default: it may do everything. */
export const grantOf = (role: ClientRole | undefined): Grant => (role === undefined ? full : grants[role]);

function makeGrant(role: ClientRole | undefined): Grant {
  const granted: readonly Permission[] = role === undefined ? permissions : clientRoles[role];
  const may = (permission: Permission) => granted.includes(permission);
  return {
    role,
    permissions: granted,
    may,
    allowed(handlers) {
      const refused = (Object.keys(handlers) as (keyof ServedAgentMethods)[]).filter(
        (method) => !may(needs[method]),
      );
      if (refused.length === 0) return handlers;
      const refusals = refused.map((method) => [method, () => refuse(method)] as const);
      return { ...handlers, ...Object.fromEntries(refusals) };
    },
    // A spread makes a separate shape for each connection: 550 bytes.
    shown: (askwire) =>
      Object.assign({}, askwire, { edits: askwire.edits && may("edit"), scopes: may("approve_scope") }),
  };
}

// Connections share them: 300 bytes each.
const full = makeGrant(undefined);
const grants = Object.fromEntries(
  (Object.keys(clientRoles) as ClientRole[]).map((role) => [role, makeGrant(role)]),
) as Readonly<Record<ClientRole, Grant>>;

function refuse(method: string): never {
  throw notAllowed(`\`${method}\` is for other clients`);
}

/** The reply to the tools and hooks of a client that may not prompt: none is taken (P-XRL-3). */
export const refusedOffers = ({ external_tools }: InitializeParams): Brought => ({
  tools: { accepted: [], rejected: (external_tools ?? []).map(rejected) },
  hooks: {},
});

const rejected = ({ name }: ExternalTool) => ({ name, reason: FOR_ANSWERING });
