import type { HeardOutcome, Outcome } from "@askwire/protocol";

/** The name of our note on replies of other protocols. */
const OUTCOME = "askwire.dev/outcome";

/** A note on a reply that says how a request ended, since ACP and MCP have fewer words. Empty for an answer. */
export function outcomeMeta({ status, reason, by, note }: Outcome | HeardOutcome): {
  readonly _meta?: Record<string, unknown>;
} {
  if (status === "answered") return {};
  return { _meta: { [OUTCOME]: { status, reason, by, ...(note !== undefined && { note }) } } };
}
