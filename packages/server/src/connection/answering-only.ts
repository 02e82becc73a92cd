import {
  type ExternalTool,
  type Handlers,
  type InitializeParams,
  type ServedAgentMethods,
  WireError,
} from "@askwire/protocol";
import type { Brought } from "./initialize.js";

/** The methods of a connection that is for answering only (P-XRL-2). */
const allowed: ReadonlySet<string> = new Set<keyof ServedAgentMethods>([
  "initialize",
  "replay",
  "answer",
  "touch",
  "received",
  "release",
  "list_sessions",
  "watch_sessions",
  "unwatch_sessions",
]);

/** Replaces the handlers of all methods but those for answering by a refusal (P-XRL-2). */
export function answeringOnly<H extends Partial<Handlers<ServedAgentMethods>>>(handlers: H): H {
  const refused = Object.keys(handlers).filter((method) => !allowed.has(method));
  return { ...handlers, ...Object.fromEntries(refused.map((method) => [method, () => refuse(method)])) };
}

function refuse(method: string): never {
  throw notAllowed(`\`${method}\` is for other clients`);
}

/** The refusal of a client that may only answer. */
export const notAllowed = (why: string) =>
  new WireError("NotAllowed", `this connection is for answering only: ${why}`);

/** The reply to the tools and hooks that a client for answering offers: none is taken (P-XRL-3). */
export const refusedOffers = ({ external_tools }: InitializeParams): Brought => ({
  tools: { accepted: [], rejected: (external_tools ?? []).map(rejected) },
  hooks: {},
});

const rejected = ({ name }: ExternalTool) => ({ name, reason: "this connection is for answering only" });
